/// Decodes `%41`-style escapes strictly: nil for a broken escape, for a NUL byte and for bytes that are not UTF-8.
///
/// Nothing is left to a C string here, where `%00` would end the text early.
func percentDecoded(_ text: some Collection<UInt8>) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text.makeIterator()
    while var byte = rest.next() {
        if byte == UInt8(ascii: "%") {
            guard let high = rest.next().flatMap(hexDigit), let low = rest.next().flatMap(hexDigit) else { return nil }
            byte = high << 4 | low
        }
        guard byte != 0 else { return nil }
        bytes.append(byte)
    }
    return String(validating: bytes, as: UTF8.self)
}

private func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
