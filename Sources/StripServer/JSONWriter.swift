import StripModel

/// Text in JSON, put together by hand for the shapes that are answered most: a general encoder takes as long for one of
/// them as everything else about a change does. A type whose text it writes is still `Encodable`, and a test holds the
/// two texts against each other.
struct JSONWriter: ~Copyable {
    private(set) var text: [UInt8] = []
    private var isFirst = true

    init() { text.reserveCapacity(768) }

    mutating func object(_ members: (inout JSONWriter) -> Void) {
        text.append(UInt8(ascii: "{"))
        isFirst = true
        members(&self)
        isFirst = false
        text.append(UInt8(ascii: "}"))
    }

    mutating func array<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
        text.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            write(&self, element)
        }
        text.append(UInt8(ascii: "]"))
    }

    /// The name of the next member; its value has to follow. A name needs no escapes.
    mutating func member(_ name: StaticString) {
        if !isFirst { text.append(UInt8(ascii: ",")) }
        isFirst = false
        text.append(UInt8(ascii: "\""))
        text.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        text.append(UInt8(ascii: "\""))
        text.append(UInt8(ascii: ":"))
    }

    mutating func member(_ name: StaticString, _ value: String?) {
        member(name)
        if let value { string(value) } else { null() }
    }

    mutating func member(_ name: StaticString, _ value: Bool?) {
        member(name)
        if let value { text.append(contentsOf: (value ? "true" : "false").utf8) } else { null() }
    }

    mutating func member(_ name: StaticString, _ value: Int?) {
        member(name)
        if let value { text.append(contentsOf: String(value).utf8) } else { null() }
    }

    mutating func null() { text.append(contentsOf: "null".utf8) }

    mutating func string(_ value: String) {
        text.append(UInt8(ascii: "\""))
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0x08: text.append(contentsOf: "\\b".utf8)
            case 0x09: text.append(contentsOf: "\\t".utf8)
            case 0x0A: text.append(contentsOf: "\\n".utf8)
            case 0x0C: text.append(contentsOf: "\\f".utf8)
            case 0x0D: text.append(contentsOf: "\\r".utf8)
            case 0..<0x20:
                text.append(contentsOf: (byte < 0x10 ? "\\u000" : "\\u00").utf8)
                text.append(contentsOf: String(byte, radix: 16).utf8)
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}

/// A shape of the API whose text is written by hand.
protocol JSONWritable: Encodable {
    /// Members in alphabetical order, as the encoder sorts them.
    func write(to json: inout JSONWriter)
}

/// JSON on one line.
func encoded(_ value: some JSONWritable) -> [UInt8] {
    var json = JSONWriter()
    value.write(to: &json)
    return json.text
}
