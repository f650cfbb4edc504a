/// A level from 1 to 100. There is no 0: a light at 0 is off, and off is said by `power`.
public struct Percent: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let value: Int

    public static let full = Percent(clamping: 100)

    /// `nil` outside of `1...100`.
    public init?(_ value: Int) {
        guard (1...100).contains(value) else { return nil }
        self.value = value
    }

    /// The nearest level there is.
    public init(clamping value: Int) {
        self.value = min(max(value, 1), 100)
    }

    /// What a channel reads at `byte`, to the nearest; `nil` for 0. Of `self.byte` it is `self`.
    public init?(byte: UInt8) {
        guard byte > 0 else { return nil }
        self.init(clamping: (Int(byte) * 100 + 127) / 255)
    }

    /// The level of a single channel, from `0x03` to `0xff`.
    public var byte: UInt8 { UInt8((value * 255 + 50) / 100) }

    /// Without a sign: `50`.
    public var description: String { String(value) }

    public static func < (one: Percent, other: Percent) -> Bool { one.value < other.value }
}

extension Percent: Codable {
    public init(from decoder: any Decoder) throws {
        let found = try JSONValue(from: decoder)
        guard case .integer(let value) = found, let percent = Percent(value) else {
            throw InvalidValue(text: found.text, problem: "is not a level", accepted: "a whole number from 1 to 100")
        }
        self = percent
    }

    public func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
    }
}
