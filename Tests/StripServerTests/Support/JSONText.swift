import FoundationEssentials

/// Any value out of JSON, as text again: members sorted, no spaces.
struct JSONText: Decodable, Hashable, Sendable {
    var text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            text = "null"
        } else if let bool = try? value.decode(Bool.self) {  // else it is of another kind
            text = "\(bool)"
        } else if let number = try? value.decode(Int.self) {  // likewise
            text = "\(number)"
        } else if let string = try? value.decode(String.self) {  // likewise
            text = "\"\(string)\""
        } else if let list = try? value.decode([JSONText].self) {  // likewise
            text = "[" + list.map(\.text).joined(separator: ",") + "]"
        } else {
            let members = try value.decode([String: JSONText].self)
            text =
                "{"
                + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value.text)" }
                .joined(separator: ",") + "}"
        }
    }
}
