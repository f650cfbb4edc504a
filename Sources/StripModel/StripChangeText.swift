import FoundationEssentials

/// A change out of JSON text as it arrived, where also the text itself may be wrong.
extension StripChange {
    /// Every refusal is an `InvalidValue`. Beside what decoding refuses, these are: text that is not JSON, and a member that
    /// is there twice, of which decoders would take either.
    public init(json text: [UInt8]) throws(InvalidValue) {
        let accepted = #"an object such as {"color": "ff8800"}"#
        let shown = { String(decoding: text.prefix(200), as: UTF8.self) }
        guard !text.contains(0) else {
            throw InvalidValue(text: shown(), problem: "is not JSON in UTF-8", accepted: accepted, fault: .syntax)
        }
        do {
            self = try JSONDecoder().decode(StripChange.self, from: Data(text))
        } catch let error as InvalidValue {
            throw error
        } catch {
            throw InvalidValue(text: shown(), problem: "is not JSON", accepted: accepted, fault: .syntax)
        }
        guard !hasTrailingComma(in: text) else {
            throw InvalidValue(text: shown(), problem: "is not JSON", accepted: accepted, fault: .syntax)
        }
        if let key = repeatedMember(in: text) {
            throw InvalidValue(text: key, problem: "is there more than once", accepted: "each member once", member: key)
        }
    }
}
