/// The name that a person gave a strip.
public struct Alias: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let text: String

    /// Words that mean something else where a strip is named.
    public static let reserved: Set<String> = [
        "all", "default",
        "scan", "adopt", "list", "status", "on", "off", "toggle", "color", "white", "brightness", "effect", "speed",
        "effects", "watch", "alias", "forget", "release", "refresh", "doctor", "group", "scene", "timer", "clock",
        "calibrate", "identify", "flash", "sunrise", "sunset", "sleep", "config", "version", "completion", "help",
    ]

    /// Refuses what could be taken for something else on a command line: a verb, an address, an option.
    public init(parsing text: String) throws(InvalidValue) {
        let rule = "1 to 32 of a-z, 0-9, _ and -, not beginning with -"
        guard !text.isEmpty else { throw InvalidValue(text: text, problem: "is empty", accepted: rule) }
        guard text.utf8.count <= 32, text.utf8.allSatisfy(Alias.isAllowed), text.utf8.first != UInt8(ascii: "-") else {
            let repaired = Alias.repaired(text)
            throw InvalidValue(
                text: text, problem: "cannot be an alias", accepted: rule, suggestions: repaired.map { [$0.text] } ?? []
            )
        }
        guard !Alias.reserved.contains(text) else {
            throw InvalidValue(
                text: text, problem: "cannot be an alias: it is a word of stripctl", accepted: rule,
                suggestions: ["my-\(text)"])
        }
        guard BluetoothAddress(text) == nil else {
            throw InvalidValue(text: text, problem: "cannot be an alias: it reads as an address", accepted: rule)
        }
        self.text = text
    }

    public var description: String { text }

    public static func < (one: Alias, other: Alias) -> Bool { one.text < other.text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x61...0x7a).contains(byte) || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    /// `Living Room` is allowed as `living-room`.
    private static func repaired(_ text: String) -> Alias? {
        let bytes = plain(text).utf8.map { $0.isSpace ? UInt8(ascii: "-") : $0 }
        let candidate = String(decoding: bytes, as: UTF8.self)
        guard candidate != text else { return nil }
        return try? Alias(parsing: candidate)  // only a suggestion: none is fine
    }
}

extension Alias: Codable {
    public init(from decoder: any Decoder) throws {
        self = try Alias(parsing: try String(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        try text.encode(to: encoder)
    }
}
