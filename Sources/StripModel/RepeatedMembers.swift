import FoundationEssentials

/// The first name that the outer object of `json`, which is well-formed, holds twice.
public func repeatedMember(in json: [UInt8]) -> String? {
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
                let member = name(json[index..<end])
                if !names.insert(member).inserted { return member }
            }
            index = end - 1
        default: break
        }
        index += 1
    }
    return nil
}

/// A comma with nothing after it, which RFC 8259 does not allow and the decoder lets pass.
public func hasTrailingComma(in json: [UInt8]) -> Bool {
    var index = 0
    var afterComma = false
    while index < json.count {
        switch json[index] {
        case UInt8(ascii: ","): afterComma = true
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if afterComma { return true }
        case UInt8(ascii: "\""):
            afterComma = false
            index = endOfString(in: json, from: index) - 1
        case 0x20, 0x09, 0x0a, 0x0d: break
        default: afterComma = false
        }
        index += 1
    }
    return false
}

/// What the string literal `text` says, so that an escape does not hide that two names are one.
private func name(_ text: ArraySlice<UInt8>) -> String {
    let plain = String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
    guard text.contains(UInt8(ascii: "\\")) else { return plain }
    return (try? JSONDecoder().decode(String.self, from: Data(text))) ?? plain  // known to be well-formed
}

/// The index after the closing quotation mark of the string that begins at `start`.
private func endOfString(in json: [UInt8], from start: Int) -> Int {
    var index = start + 1
    while index < json.count, json[index] != UInt8(ascii: "\"") {
        index += json[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, json.count)
}
