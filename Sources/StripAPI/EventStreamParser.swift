// Reads server-sent events from bytes that arrive in any pieces.

/// One event: its name and its data, lines joined.
public struct StreamEvent: Hashable, Sendable {
    public var name: String
    public var data: String

    public init(name: String, data: String) { (self.name, self.data) = (name, data) }
}

struct EventStreamParser {
    private let limit: Int
    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var afterReturn = false

    init(limit: Int = 4 << 20) { self.limit = limit }

    /// The events that these bytes complete.
    mutating func feed(_ bytes: [UInt8]) throws(ClientError) -> [StreamEvent] {
        var events: [StreamEvent] = []
        for byte in bytes {
            defer { afterReturn = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where afterReturn: break  // the second half of a line end
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): if let event = endLine() { events.append(event) }
            default:
                guard line.count + data.count < limit else { throw .tooLarge }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> StreamEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data.append(UInt8(ascii: "\n")) }
            data += value
            hasData = true
        default: break  // comments, ids, retry times
        }
        return nil
    }

    private mutating func dispatch() -> StreamEvent? {
        defer { (name, data, hasData) = ("", [], false) }
        guard hasData else { return nil }
        return StreamEvent(name: name.isEmpty ? "message" : name, data: String(decoding: data, as: UTF8.self))
    }
}
