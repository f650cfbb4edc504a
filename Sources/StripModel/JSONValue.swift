/// Whatever a JSON member holds, so that an error can say what was found instead of what was wanted.
public enum JSONValue: Decodable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case fraction(Double)
    /// Well-formed JSON that no number of ours can hold: `1e999`.
    case hugeNumber
    case string(String)
    case array
    case object
    /// A string, or a member's name, that is not UTF-8 or holds a control character.
    case malformed

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The likely ones first.
        if container.decodeNil() {
            self = .null
        } else if let value = attempt({ try container.decode(String.self) }) {
            self = .string(value)
        } else if let value = attempt({ try container.decode(Bool.self) }) {
            self = .bool(value)
        } else if let value = attempt({ try container.decode(Int.self) }) {
            self = .integer(value)
        } else if let value = attempt({ try container.decode(Double.self) }), value.isFinite {
            self = .fraction(value)
        } else if attempt({ try decoder.unkeyedContainer() }) != nil {
            self = .array
        } else if attempt({ try decoder.container(keyedBy: AnyKey.self) }) != nil {
            self = .object
        } else {
            self = isNumber(container) ? .hugeNumber : .malformed
        }
    }

    /// With its article: "a string".
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .fraction: "a number"
        case .hugeNumber: "a number out of all range"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        case .malformed: "text that is not well-formed"
        }
    }

    /// As near to how it was written as decoding leaves it.
    public var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): String(value)
        case .integer(let value): String(value)
        case .fraction(let value): String(value)
        case .hugeNumber: "number"
        case .string(let value): value
        case .array: "[...]"
        case .object: "{...}"
        case .malformed: "..."
        }
    }
}

/// Any member name at all: for finding the ones that should not be there.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Whether it is written as a number, be it one that nothing can hold.
private func isNumber(_ container: any SingleValueDecodingContainer) -> Bool {
    do {
        _ = try container.decode(Double.self)
        return true
    } catch DecodingError.typeMismatch {
        return false
    } catch {
        return true
    }
}

/// Asks whether a value is of one kind.
func attempt<Value>(_ read: () throws -> Value) -> Value? {
    try? read()  // it is of another kind, and the next one is tried
}
