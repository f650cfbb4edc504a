import StripModel
import Triones

/// What a change comes to on one strip: relative values resolved, the way of shining chosen, and what to tell the user
/// about it. Pure, so that a dry run shows just what would be sent.
struct ChangePlan: Hashable, Sendable {
    /// What the strip is to show afterwards.
    var look: Look
    /// Asked for in so many words.
    var power: Power?
    /// `nil` if the light stays as it is.
    var light: Command?
    /// The light is of no use unless the strip is on.
    var impliesOn: Bool
    var hasWhiteChannel: Bool
    /// Sentences for the user: what was done otherwise than it may have been meant.
    var notes: [String] = []

    /// - Parameters:
    ///   - wanted: what the strip shows, or will once the waiting wishes are written.
    ///   - power: likewise; `nil` if unknown.
    init(_ change: StripChange, wanted: Look, power wantedPower: Power?, hasWhiteChannel: Bool) throws(InvalidValue) {
        look = wanted
        power = change.on.map { $0 ? .on : .off }
        self.hasWhiteChannel = hasWhiteChannel || change.channel
        var changesLight = false
        if let color = change.color {
            look.color = color
            look.shine = .color
            changesLight = true
        }
        if let white = change.white {
            look.white = white.resolved(against: wanted.white)
            look.shine = .white
            changesLight = true
            if !self.hasWhiteChannel {
                notes.append(
                    "white is mixed from red, green and blue: this strip is not known to have white LEDs (--channel says that it has)"
                )
            }
        }
        switch change.effect {
        case .run(let effect)?:
            look.shine = .effect(effect)
            changesLight = true
        case .stop?:
            if look.shine != .white { look.shine = .color }
            changesLight = true
        case nil: break
        }
        if let brightness = change.brightness {
            switch look.shine {
            case .color:
                look.brightness = brightness.resolved(against: wanted.brightness)
                changesLight = true
            case .white:
                look.white = brightness.resolved(against: look.white)
                changesLight = true
            case .effect:
                look.brightness = brightness.resolved(against: wanted.brightness)
                notes.append("effects cannot be dimmed: \(look.brightness.value) % is kept for the next colour")
            case .unknown(let mode):
                look.brightness = brightness.resolved(against: wanted.brightness)
                notes.append(
                    "mode \(mode) of this strip cannot be dimmed: \(look.brightness.value) % is kept for the next colour"
                )
            }
        }
        if let speed = change.speed {
            guard case .effect = look.shine else {
                throw InvalidValue(
                    text: "speed", problem: "changes nothing: no effect is running",
                    accepted: "speed together with an effect, or while one runs", suggestions: [])
            }
            look.speed = speed.resolved(against: wanted.speed)
            changesLight = true
        }
        light = changesLight ? look.command(hasWhiteChannel: self.hasWhiteChannel) : nil
        let asksForLight = Self.choosesLight(change)
        impliesOn = light != nil && asksForLight && change.on == nil && !change.keepPower
        if light != nil, !asksForLight, change.on == nil, wantedPower == .off {
            notes.append("the strip is off: this shows when it is switched on")
        }
    }

    /// A change of power alone.
    init(power: Power, look: Look, hasWhiteChannel: Bool) {
        (self.power, self.look, self.hasWhiteChannel) = (power, look, hasWhiteChannel)
        (light, impliesOn) = (nil, false)
    }

    /// Whether `change` cannot be worked out without knowing what the strip shows.
    static func needsKnowledge(_ change: StripChange) -> Bool {
        !choosesLight(change) && (change.brightness != nil || change.speed != nil || change.effect != nil)
    }

    /// A colour, a white or an effect by name: not only a change of what shows already.
    private static func choosesLight(_ change: StripChange) -> Bool {
        if case .run? = change.effect { return true }
        return change.color != nil || change.white != nil
    }

    /// The frames that go out for it on a strip that is idle.
    func frames(known power: WriteQueue.PowerFact?, at now: Duration, timing: Timing) -> [Frame] {
        var queue = WriteQueue(pace: .zero, powerFreshness: timing.powerFreshness)
        guard light != nil || self.power != nil else { return [] }
        let wanted = light.map { WriteQueue.Light(command: $0, look: look) }
        _ = queue.add(1, power: self.power, light: wanted, impliesOn: impliesOn)
        var frames: [Frame] = []
        var known = power
        while case .write(let write) = queue.next(at: now, known: known, mayQuery: false).step {
            frames.append(Frame(write.command))
            if case .power(let written) = write.command { known = WriteQueue.PowerFact(power: written, at: now) }
            _ = queue.written()
        }
        return frames
    }
}
