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
