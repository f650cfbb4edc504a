public import StripModel
public import Triones

/// What a strip is asked to show: the base colour and its brightness apart, so that dimming forgets nothing, and which
/// of the strip's three ways of shining is on.
public struct Look: Hashable, Sendable, Codable {
    public enum Shine: Hashable, Sendable, Codable {
        case color
        case white
        case effect(Effect)
        /// A mode that the strip reported and that we have no name for.
        case unknown(mode: UInt8)
    }

    /// At full brightness.
    public var color: Color
    /// Of the colour; 100 shows the base colour as it is.
    public var brightness: Percent
    /// Of the white light.
    public var white: Percent
    /// Of the effects; 100 is fastest.
    public var speed: Percent
    public var shine: Shine

    public init(
        color: Color = .white, brightness: Percent = .full, white: Percent = .full, speed: Percent = .half,
        shine: Shine = .color
    ) {
        self.color = color
        self.brightness = brightness
        self.white = white
        self.speed = speed
        self.shine = shine
    }

    /// The command that shows it; `nil` for a mode that we cannot ask for.
    ///
    /// - Parameter hasWhiteChannel: white comes from LEDs of its own, else it is mixed from red, green and blue.
    public func command(hasWhiteChannel: Bool) -> Command? {
        switch shine {
        case .color:
            let shown = color.scaled(to: brightness)
            return .color(red: shown.red, green: shown.green, blue: shown.blue)
        case .white:
            let level = white.channelLevel
            return hasWhiteChannel ? .white(level) : .color(red: level, green: level, blue: level)
        case .effect(let effect):
            return Speed(percent: speed.value).map { .effect(effect.code, $0) }
        case .unknown: return nil
        }
    }
}

extension Color {
    public static let white = Color(red: 255, green: 255, blue: 255)
}

extension Percent {
    public static let half = Percent(clamping: 50)

    /// 1 to 255: a light that is on is never black.
    var channelLevel: UInt8 { UInt8(max(1, (value * 255 + 50) / 100)) }

    init(channelLevel: UInt8) { self.init(clamping: (Int(channelLevel) * 100 + 127) / 255) }
}
