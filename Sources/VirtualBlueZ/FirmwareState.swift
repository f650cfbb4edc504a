/// The light as the strip's firmware has it.
public struct FirmwareState: Sendable, Hashable {
    public var on: Bool
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    public var white: UInt8
    /// 0x41: a still colour or white; otherwise an effect's code.
    public var mode: UInt8
    public var speed: UInt8

    public static let still: UInt8 = 0x41

    public init(
        on: Bool = true, red: UInt8 = 255, green: UInt8 = 0, blue: UInt8 = 0, white: UInt8 = 0,
        mode: UInt8 = FirmwareState.still, speed: UInt8 = 0x10
    ) {
        self.on = on
        self.red = red
        self.green = green
        self.blue = blue
        self.white = white
        self.mode = mode
        self.speed = speed
    }
}

/// What an onlooker sees of a strip at an instant.
public struct LightSwatch: Sendable, Hashable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    /// The code of the effect that runs; `nil` for a still light. Its first colour stands for all of it.
    public var effect: UInt8?

    public init(red: UInt8, green: UInt8, blue: UInt8, effect: UInt8? = nil) {
        self.red = red
        self.green = green
        self.blue = blue
        self.effect = effect
    }

    public static let dark = LightSwatch(red: 0, green: 0, blue: 0)
}

extension FirmwareState {
    public var swatch: LightSwatch {
        guard on else { return .dark }
        guard mode == Self.still else {
            let (red, green, blue) = Self.firstColor(ofEffect: mode)
            return LightSwatch(red: red, green: green, blue: blue, effect: mode)
        }
        return LightSwatch(red: max(red, white), green: max(green, white), blue: max(blue, white))
    }

    /// Effects by their numbers: 26…2C and 31…37 have the one colour in the same order; all others begin with red or
    /// with the first of their two.
    private static func firstColor(ofEffect code: UInt8) -> (UInt8, UInt8, UInt8) {
        let single: [(UInt8, UInt8, UInt8)] = [
            (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (0, 255, 255), (255, 0, 255), (255, 255, 255),
        ]
        return switch code {
        case 0x26...0x2C: single[Int(code - 0x26)]
        case 0x31...0x37: single[Int(code - 0x31)]
        case 0x2F: (0, 255, 0)
        default: (255, 0, 0)
        }
    }
}
