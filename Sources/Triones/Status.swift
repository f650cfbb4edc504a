/// What a strip said of itself in one report, byte by byte and unjudged: strips are known to misreport.
public struct Status: Hashable, Sendable {
    /// The model byte. It proves little: strips without a white channel send the same as strips with one.
    public var model: UInt8
    /// `nil` when the byte says neither on nor off.
    public var power: Power?
    public var mode: Mode
    /// The speed byte as it came, zero included.
    public var speed: UInt8
    /// The colour that was last set. Strips keep it while an effect runs and while they are off.
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    public var white: UInt8
    /// `nil` in the short report, which has none.
    public var version: UInt8?

    public init(
        model: UInt8, power: Power?, mode: Mode, speed: UInt8, red: UInt8, green: UInt8, blue: UInt8, white: UInt8,
        version: UInt8?
    ) {
        self.model = model
        self.power = power
        self.mode = mode
        self.speed = speed
        self.red = red
        self.green = green
        self.blue = blue
        self.white = white
        self.version = version
    }
}

/// What kind of light a strip shows, or would show if it were on.
public enum Mode: Hashable, Sendable {
    /// A colour or white.
    case still
    case effect(EffectCode)
    /// A mode that this family is not known to have, as it came.
    case other(UInt8)

    public init(rawValue: UInt8) {
        if rawValue == FrameLayout.stillMode {
            self = .still
        } else if let code = EffectCode(rawValue: rawValue) {
            self = .effect(code)
        } else {
            self = .other(rawValue)
        }
    }

    public var rawValue: UInt8 {
        switch self {
        case .still: FrameLayout.stillMode
        case .effect(let code): code.rawValue
        case .other(let byte): byte
        }
    }
}
