import FoundationEssentials

/// A change out of JSON text as it arrived, where also the text itself may be wrong.
extension StripChange {
    /// Every refusal is an `InvalidValue`. Beside what decoding refuses, these are: text that is not JSON, and a member that
    /// is there twice, of which decoders would take either.
    public init(json text: [UInt8]) throws(InvalidValue) {
        let accepted = #"an object such as {"color": "ff8800"}"#
        let shown = { String(decoding: text.prefix(200), as: UTF8.self) }
        guard !text.contains(0) else {
            throw InvalidValue(text: shown(), problem: "is not JSON in UTF-8", accepted: accepted)
        }
        do {
            self = try JSONDecoder().decode(StripChange.self, from: Data(text))
        } catch let error as InvalidValue {
            throw error
        } catch {
            throw InvalidValue(text: shown(), problem: "is not JSON", accepted: accepted)
        }
        if let key = StripChange.repeatedMember(in: text) {
            throw InvalidValue(text: key, problem: "is there more than once", accepted: "each member once", member: key)
        }
    }

    /// The first name that the outer object of `json`, which is well-formed, holds twice.
    private static func repeatedMember(in json: [UInt8]) -> String? {
        var names: Set<String> = []
        var depth = 0
        var index = 0
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let end = endOfString(in: json, from: index)
                let isName = json[end...].first { !$0.isSpace && $0 != 0x0a && $0 != 0x0d } == UInt8(ascii: ":")
                if depth == 1, isName {
                    let name = name(json[index..<end])
                    if !names.insert(name).inserted { return name }
                }
                index = end - 1
            default: break
            }
            index += 1
        }
        return nil
    }

    /// What the string literal `text` says, so that an escape does not hide that two names are one.
    private static func name(_ text: ArraySlice<UInt8>) -> String {
        let plain = String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
        guard text.contains(UInt8(ascii: "\\")) else { return plain }
        return (try? JSONDecoder().decode(String.self, from: Data(text))) ?? plain  // known to be well-formed
    }

    /// The index after the closing quotation mark of the string that begins at `start`.
    private static func endOfString(in json: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < json.count, json[index] != UInt8(ascii: "\"") {
            index += json[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, json.count)
    }
}
