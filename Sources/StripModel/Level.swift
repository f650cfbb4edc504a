/// A level as it is asked for: `50`, `50%`, or a step from where it is, `+10` and `-10`.
public enum Level: Hashable, Sendable, CustomStringConvertible {
    case absolute(Percent)
    /// Steps of one percent, `-100...100`.
    case relative(Int)

    static let accepted = "1 to 100 (50 or 50%), or a step such as +10 or -10"

    public init(parsing text: String) throws(InvalidValue) {
        var digits = plain(text)
        if digits.utf8.last == UInt8(ascii: "%") { digits.removeLast() }
        let sign: Int? =
            switch digits.utf8.first {
            case UInt8(ascii: "+"): 1
            case UInt8(ascii: "-"): -1
            default: nil
            }
        if sign != nil { digits.removeFirst() }
        guard let number = wholeNumber(digits) else {
            let isFraction = Double(digits) != nil && digits.utf8.contains(UInt8(ascii: "."))
            throw Level.invalid(text, isFraction ? "is not a whole number" : "is not a level")
        }
        guard number <= 100 else { throw Level.invalid(text, "is more than 100") }
        guard number > 0 else { throw Level.invalid(text, sign == nil ? Level.zero : "is a step to nowhere") }
        self = sign.map { .relative($0 * number) } ?? .absolute(Percent(clamping: number))
    }

    /// What it comes to, from `current`; a step ends at 1 and at 100.
    public func resolved(against current: Percent) -> Percent {
        switch self {
        case .absolute(let percent): percent
        case .relative(let step): Percent(clamping: current.value + min(max(step, -100), 100))
        }
    }

    /// As it would be typed: `50`, `+10`, `-10`.
    public var description: String {
        switch self {
        case .absolute(let percent): percent.description
        case .relative(let step): (step < 0 ? "" : "+") + String(step)
        }
    }

    static let zero = "is no level: 1 is the least, and off switches the light off"

    private static func invalid(_ text: String, _ problem: String) -> InvalidValue {
        InvalidValue(text: text, problem: problem, accepted: accepted)
    }
}

/// A JSON number or string for a level, a string for a step: `50`, `"50"`, `"50%"`, `"+10"`, `"-10"`.
extension Level: Codable {
    public init(from decoder: any Decoder) throws {
        let found = try JSONValue(from: decoder)
        switch found {
        case .string(let text): self = try Level(parsing: text)
        case .integer(let number) where number < 0:
            let step = number >= -100 ? ["\"\(number)\", a step"] : []
            throw InvalidValue(text: found.text, problem: "is below 1", accepted: Level.accepted, suggestions: step)
        case .integer(let number): self = try Level(parsing: String(number))
        case .fraction: throw Level.invalid(found.text, "is not a whole number")
        default: throw Level.invalid(found.text, "is \(found.kind), not a level")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .absolute(let percent): try percent.encode(to: encoder)
        case .relative: try description.encode(to: encoder)
        }
    }
}
