import FoundationEssentials

/// JSON as a test looks at it: `status["certainty"]["power"]["is"] == "reported"`.
enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])
    /// Not JSON, or no such member: equal to nothing that a test would write.
    case missing(String)

    init(parsing text: String) {
        do {
            self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
        } catch {
            self = .missing("not JSON: \(text)")
        }
    }

    subscript(name: String) -> JSON {
        if case .object(let members) = self { return members[name] ?? .missing(name) }
        return .missing("\(name) of \(self)")
    }

    subscript(index: Int) -> JSON {
        if case .array(let items) = self, items.indices.contains(index) { return items[index] }
        return .missing("[\(index)] of \(self)")
    }

    var items: [JSON] { if case .array(let items) = self { items } else { [] } }
    var names: [String] { if case .object(let members) = self { members.keys.sorted() } else { [] } }
    var text: String { if case .string(let text) = self { text } else { "\(self)" } }
}

extension JSON: Decodable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {  // else it is something else
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {  // likewise
            self = .number(number)
        } else if let string = try? value.decode(String.self) {  // likewise
            self = .string(string)
        } else if let array = try? value.decode([JSON].self) {  // likewise
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }
}

extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral
{
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(stringLiteral value: String) { self = .string(value) }
    init(nilLiteral: ()) { self = .null }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
}
