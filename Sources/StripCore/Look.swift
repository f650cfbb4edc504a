import StripModel
import Triones

/// What a strip is asked to show: the base colour and its brightness apart, so that dimming forgets nothing, and which
/// of the strip's three ways of shining is on.
struct Look: Hashable, Sendable, Codable {
    enum Shine: Hashable, Sendable, Codable {
        case color
        case white
        case effect(Effect)
        /// A mode that the strip reported and that we have no name for.
        case unknown(mode: UInt8)
    }

    /// At full brightness.
    var color: Color
    /// Of the colour; 100 shows the base colour as it is.
    var brightness: Percent
    /// Of the white light.
    var white: Percent
    /// Of the effects; 100 is fastest.
    var speed: Percent
    var shine: Shine

    init(
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
    func command(hasWhiteChannel: Bool) -> Command? {
        switch shine {
        case .color:
            let shown = color.scaled(to: brightness)
            return .color(red: shown.red, green: shown.green, blue: shown.blue)
        case .white:
            let level = white.byte
            return hasWhiteChannel ? .white(level) : .color(red: level, green: level, blue: level)
        case .effect(let effect):
            return Speed(percent: speed.value).map { .effect(effect.code, $0) }
        case .unknown: return nil
        }
    }
}

extension Color {
    static let white = Color(red: 255, green: 255, blue: 255)
}

extension Percent {
    static let half = Percent(clamping: 50)
}
