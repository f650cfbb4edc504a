public import Triones

/// A program that is built into the strips, by the name that people use for it.
public struct Effect: Hashable, Sendable, CustomStringConvertible {
    public let code: EffectCode
    /// In kebab-case; it never changes, since scenes and scripts hold it.
    public let name: String
    /// What is to be seen, in a few words.
    public let summary: String

    /// All there are, by code.
    public static let all: [Effect] = zip(EffectCode.allCases, table).map { code, row in
        Effect(code: code, name: row.name, summary: row.summary)
    }

    public init(_ code: EffectCode) {
        // The table has a row for each code, which a test keeps so.
        self = Effect.all.first { $0.code == code } ?? Effect(code: code, name: hex(code.rawValue), summary: "")
    }

    /// The name of an effect for a mode byte that a strip reported, or `0x39` where there is no such effect.
    public static func name(ofCode byte: UInt8) -> String {
        all.first { $0.code.rawValue == byte }?.name ?? hex(byte)
    }

    public var description: String { name }

    private init(code: EffectCode, name: String, summary: String) {
        self.code = code
        self.name = name
        self.summary = summary
    }

    /// In the order of `EffectCode.allCases`.
    private static let table: [(name: String, summary: String)] = [
        ("seven-color-fade", "fades through seven colours"),
        ("red-breathing", "red comes and goes"),
        ("green-breathing", "green comes and goes"),
        ("blue-breathing", "blue comes and goes"),
        ("yellow-breathing", "yellow comes and goes"),
        ("cyan-breathing", "cyan comes and goes"),
        ("purple-breathing", "purple comes and goes"),
        ("white-breathing", "white comes and goes"),
        ("red-green-fade", "fades between red and green"),
        ("red-blue-fade", "fades between red and blue"),
        ("green-blue-fade", "fades between green and blue"),
        ("seven-color-strobe", "flashes in seven colours"),
        ("red-strobe", "flashes red"),
        ("green-strobe", "flashes green"),
        ("blue-strobe", "flashes blue"),
        ("yellow-strobe", "flashes yellow"),
        ("cyan-strobe", "flashes cyan"),
        ("purple-strobe", "flashes purple"),
        ("white-strobe", "flashes white"),
        ("seven-color-jump", "jumps through seven colours"),
        ("three-color-fade", "fades through red, green and blue"),
        ("three-color-strobe", "flashes in red, green and blue"),
        ("three-color-jump", "jumps through red, green and blue"),
    ]
}

/// `0x39`.
private func hex(_ byte: UInt8) -> String {
    "0x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
}

/// Effect text: a name in any case and with any separators, the beginning of just one name, or a code: `37`, `0x25`.
extension Effect {
    static let accepted = "a name from stripctl effects, or its code (37 or 0x25)"

    public init(parsing text: String) throws(InvalidValue) {
        let plain = plain(text)
        if plain.utf8.first?.isDigit == true {
            let code = Effect.number(plain).flatMap { UInt8(exactly: $0) }
            guard let code = code.flatMap(EffectCode.init(rawValue:)) else {
                throw InvalidValue(
                    text: text, problem: "is not the code of an effect",
                    accepted: "37 to 56 and 97 to 99 (0x25 to 0x38 and 0x61 to 0x63), or a name from stripctl effects")
            }
            self = Effect(code)
            return
        }
        let letters = Effect.letters(plain)
        let matches = letters.isEmpty ? [] : Effect.all.filter { Effect.letters($0.name).starts(with: letters) }
        if let exact = matches.first(where: { Effect.letters($0.name) == letters }) {
            self = exact
        } else if let only = matches.first, matches.count == 1 {
            self = only
        } else if matches.isEmpty {
            throw InvalidValue(
                text: text, problem: "is not an effect", accepted: Effect.accepted,
                suggestions: suggestions(for: plain, among: Effect.all.map(\.name)))
        } else {
            throw InvalidValue(
                text: text, problem: "is the beginning of \(matches.count) effects", accepted: Effect.accepted,
                suggestions: matches.map(\.name))
        }
    }

    /// `37` and `0x25`.
    private static func number(_ plain: String) -> Int? {
        guard plain.hasPrefix("0x") else { return wholeNumber(plain) }
        let digits = plain.utf8.dropFirst(2)
        guard (1...2).contains(digits.count), digits.allSatisfy({ $0.hexDigit != nil }) else { return nil }
        return Int(plain.dropFirst(2), radix: 16)
    }

    /// Without separators, and with the other spelling of colour made the same.
    private static func letters(_ plain: String) -> [UInt8] {
        let letters = plain.utf8.filter { !$0.isSpace && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        return Array(
            String(decoding: letters, as: UTF8.self).split(separator: "colour").joined(separator: "color").utf8)
    }
}

extension Effect: Codable {
    public init(from decoder: any Decoder) throws {
        let found = try JSONValue(from: decoder)
        switch found {
        case .string(let text): self = try Effect(parsing: text)
        case .integer(let code): self = try Effect(parsing: String(code))
        default:
            throw InvalidValue(text: found.text, problem: "is \(found.kind), not an effect", accepted: Effect.accepted)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        try name.encode(to: encoder)
    }
}
