/// What a user asks of a strip: a merge patch over the strip's own members. At least one of them is there, and no two
/// of colour, white and effect.
public struct StripChange: Hashable, Sendable {
    public var on: Bool?
    public var color: Color?
    public var brightness: Level?
    public var white: Level?
    public var effect: EffectChange?
    public var speed: Level?
    /// The light is set without switching it on.
    public var keepPower: Bool
    /// This strip has a white channel; it is remembered.
    public var channel: Bool
    /// In seconds; `nil` for the usual one.
    public var deadline: Double?

    public init(
        on: Bool? = nil, color: Color? = nil, brightness: Level? = nil, white: Level? = nil,
        effect: EffectChange? = nil,
        speed: Level? = nil, keepPower: Bool = false, channel: Bool = false, deadline: Double? = nil
    ) {
        self.on = on
        self.color = color
        self.brightness = brightness
        self.white = white
        self.effect = effect
        self.speed = speed
        self.keepPower = keepPower
        self.channel = channel
        self.deadline = deadline
    }

    /// Nothing in it reaches a strip.
    public var isEmpty: Bool {
        on == nil && color == nil && brightness == nil && white == nil && effect == nil && speed == nil
    }
}

/// What is asked of a strip's effects.
public enum EffectChange: Hashable, Sendable {
    case run(Effect)
    /// Back to the colour or white of before: `null` in JSON.
    case stop
}
