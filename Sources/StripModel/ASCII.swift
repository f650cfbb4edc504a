/// Reading values byte by byte: only ASCII digits are digits here, whatever Unicode has to offer.
extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    var isSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// `text` without the blanks around it, in lower case; everything else stays.
func plain(_ text: String) -> String {
    let isBlank = { (byte: UInt8) in byte.isSpace || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
    var bytes = text.utf8.drop(while: isBlank)
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return String(decoding: bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
}

/// A whole number of one to nine digits, and nothing else.
func wholeNumber(_ text: some StringProtocol) -> Int? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit) else { return nil }
    return Int(text)
}
