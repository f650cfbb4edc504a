import FoundationEssentials
import StripModel
import Triones

/// What we believe of a strip: its values, and how we know them.
struct StripState: Hashable, Sendable {
    /// `nil` until it was written or reported.
    private(set) var power: Power?
    private(set) var look: Look
    private(set) var powerKnowledge = Knowledge.none
    private(set) var lightKnowledge = Knowledge.none
    /// The strip has white LEDs of its own, as far as it has shown or was said.
    var hasWhiteChannel: Bool
    private(set) var model: UInt8?

    /// The look's values come from the strip or from the user, now or at an earlier time.
    private(set) var hasLook: Bool

    /// - Parameter look: what was kept of it; `nil` for a strip that was never told nor asked anything.
    init(look: Look?, hasWhiteChannel: Bool, model: UInt8?) {
        self.look = look ?? Look()
        hasLook = look != nil
        self.hasWhiteChannel = hasWhiteChannel
        self.model = model
    }

    /// Whether the light's values are more than what was remembered from an earlier time.
    var knowsLight: Bool { lightKnowledge.is != .unknown }

    mutating func assume(_ written: Power, at date: Date) {
        power = written
        powerKnowledge = Knowledge(is: .assumed, at: date)
    }

    /// The strip acknowledged it.
    mutating func confirm(_ acknowledged: Power, at date: Date) {
        power = acknowledged
        powerKnowledge = Knowledge(is: .reported, at: date)
    }

    mutating func assume(_ written: Look, at date: Date) {
        look = written
        hasLook = true
        lightKnowledge = Knowledge(is: .assumed, at: date)
    }

    /// Keeps values for later that the strip is not told now: the brightness of the next colour.
    mutating func remember(_ kept: Look) {
        look = kept
        hasLook = true
    }

    /// Takes over what a report says, as far as it is to be believed.
    mutating func merge(_ status: Status, believing belief: ReadBack.Belief, at date: Date) {
        model = status.model
        if status.white > 0 || status.model == 0x14 || status.model == 0x15 { hasWhiteChannel = true }
        if belief.power {
            power = status.power
            powerKnowledge = Knowledge(is: status.power == nil ? .unknown : .reported, at: date)
        }
        if belief.light {
            look = look.reported(status, hasWhiteChannel: hasWhiteChannel)
            hasLook = true
            lightKnowledge = Knowledge(is: .reported, at: date)
        }
    }
}

extension Look {
    /// This look as a report changes it. A report of what it asks for leaves base colour, brightness and percentages
    /// alone; any other colour becomes the base at full brightness.
    func reported(_ status: Status, hasWhiteChannel: Bool) -> Look {
        // White that was mixed before the white channel was known of is still the white that was asked for.
        for channel in [hasWhiteChannel, false] {
            if let command = command(hasWhiteChannel: channel), status.shows(command) { return self }
        }
        var look = self
        switch status.mode {
        case .still where status.showsWhite:
            look.shine = .white
            look.white = Percent(byte: status.white) ?? look.white
        case .still:
            let shown = Color(red: status.red, green: status.green, blue: status.blue)
            look.shine = .color
            if color.scaled(to: brightness) != shown {
                look.color = shown
                look.brightness = .full
            }
        case .effect(let code):
            look.shine = .effect(Effect(code))
            look.take(speed: status.speed)
        case .other(let mode):
            look.shine = .unknown(mode: mode)
            look.take(speed: status.speed)
        }
        return look
    }

    /// Several percentages are one byte: the one that was asked for stays if it is among them.
    private mutating func take(speed byte: UInt8) {
        guard Speed(percent: speed.value)?.rawValue != byte, let reported = Speed(rawValue: byte) else { return }
        speed = Percent(clamping: reported.percent)
    }
}
