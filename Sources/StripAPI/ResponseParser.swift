// Reads one HTTP/1.1 response from bytes that arrive in any pieces. Whatever arrives, it answers with a response or with
// an error, and holds no more than its limits.

/// A complete answer.
public struct Response: Hashable, Sendable {
    public var status: Int
    /// Names in lower case.
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    public static func == (a: Response, b: Response) -> Bool {
        a.status == b.status && a.body == b.body && a.headers.elementsEqual(b.headers, by: ==)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(body)
    }
}

struct ResponseParser {
    struct Limits: Sendable {
        var head = 16 << 10
        var body = 4 << 20
    }

    private enum State {
        case statusLine, headers
        /// So many bytes are missing.
        case counted(Int)
        case chunkSize
        case chunk(Int)
        /// The line end after a chunk's data.
        case chunkEnd
        case trailers
        case untilClose
        case complete
    }

    private var state = State.statusLine
    private var line: [UInt8] = []
    private var headBytes = 0
    private let limits: Limits
    private(set) var response = Response(status: 0, headers: [], body: [])

    init(limits: Limits = Limits()) { self.limits = limits }

    var isComplete: Bool { if case .complete = state { true } else { false } }

    /// The head is there; what follows is body.
    var hasHead: Bool {
        switch state {
        case .statusLine, .headers: false
        default: true
        }
    }

    /// Hands over what has come of the body and forgets it: for an answer without end.
    mutating func takeBody() -> [UInt8] {
        defer { response.body = [] }
        return response.body
    }

    mutating func feed(_ bytes: ArraySlice<UInt8>) throws(ClientError) {
        var rest = bytes
        while !rest.isEmpty {
            switch state {
            case .complete: return  // we asked for one answer and for the connection to end
            case .counted(let missing):
                let count = try take(&rest, atMost: missing)
                state = count == missing ? .complete : .counted(missing - count)
            case .chunk(let missing):
                let count = try take(&rest, atMost: missing)
                state = count == missing ? .chunkEnd : .chunk(missing - count)
            case .untilClose: _ = try take(&rest, atMost: rest.count)
            case .statusLine, .headers, .chunkSize, .chunkEnd, .trailers:
                guard let text = try nextLine(&rest) else { return }
                try take(line: text)
            }
        }
    }

    /// The other side has closed.
    mutating func end() throws(ClientError) {
        if case .untilClose = state { state = .complete }
        guard isComplete else { throw .endedEarly }
    }

    private mutating func take(_ rest: inout ArraySlice<UInt8>, atMost count: Int) throws(ClientError) -> Int {
        let piece = rest.prefix(count)
        guard response.body.count + piece.count <= limits.body else { throw .tooLarge }
        response.body += piece
        rest = rest.dropFirst(piece.count)
        return piece.count
    }

    /// A line without its end, once all of it is there.
    private mutating func nextLine(_ rest: inout ArraySlice<UInt8>) throws(ClientError) -> [UInt8]? {
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        let piece = end.map { rest[rest.startIndex..<$0] } ?? rest
        headBytes += piece.count + 1
        guard headBytes <= limits.head else { throw .tooLarge }
        line += piece
        rest = end.map { rest[rest.index(after: $0)...] } ?? []
        guard end != nil else { return nil }
        defer { line = [] }
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    private mutating func take(line: [UInt8]) throws(ClientError) {
        switch state {
        case .statusLine:
            response.status = try Self.status(line)
            state = .headers
        case .headers where line.isEmpty: try beginBody()
        case .headers: response.headers.append(try Self.header(line))
        case .chunkSize:
            guard let size = Self.number(line.prefix { $0 != UInt8(ascii: ";") }, radix: 16) else {
                throw .malformed("bad chunk size")
            }
            headBytes = 0
            state = size == 0 ? .trailers : .chunk(size)
        case .chunkEnd:
            guard line.isEmpty else { throw .malformed("a chunk is longer than it says") }
            state = .chunkSize
        case .trailers: if line.isEmpty { state = .complete }
        case .counted, .chunk, .untilClose, .complete: break  // these take no lines
        }
    }

    private mutating func beginBody() throws(ClientError) {
        headBytes = 0
        if (100..<200).contains(response.status) {  // an interim answer: the real one follows
            response = Response(status: 0, headers: [], body: [])
            state = .statusLine
        } else if response.status == 204 || response.status == 304 {
            state = .complete
        } else if let coding = response.header("transfer-encoding") {
            guard coding.lowercased() == "chunked" else { throw .malformed("unknown transfer coding") }
            state = .chunkSize
        } else if let text = response.header("content-length") {
            let lengths = response.headers.filter { $0.name == "content-length" }
            guard let length = Self.number(Array(text.utf8)[...], radix: 10), lengths.allSatisfy({ $0.value == text })
            else { throw .malformed("bad Content-Length") }
            guard length <= limits.body else { throw .tooLarge }
            state = length == 0 ? .complete : .counted(length)
        } else {
            state = .untilClose
        }
    }

    private static func status(_ line: [UInt8]) throws(ClientError) -> Int {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].elementsEqual("HTTP/1.1".utf8) || parts[0].elementsEqual("HTTP/1.0".utf8),
            parts[1].count == 3, let status = number(parts[1], radix: 10), status >= 100
        else { throw .malformed("no status line") }
        return status
    }

    private static func header(_ line: [UInt8]) throws(ClientError) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            line[..<colon].allSatisfy({ $0 > 32 && $0 < 127 })
        else { throw .malformed("bad header line") }
        let isSpace = { (byte: UInt8) in byte == 32 || byte == 9 }
        var value = line[(colon + 1)...].drop(while: isSpace)
        while let last = value.last, isSpace(last) { value.removeLast() }
        return (String(decoding: line[..<colon], as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self))
    }

    /// Digits only: no sign, no space, nothing that is too large.
    private static func number(_ digits: ArraySlice<UInt8>, radix: Int) -> Int? {
        var trimmed = digits
        while let last = trimmed.last, last == 32 || last == 9 { trimmed.removeLast() }
        guard !trimmed.isEmpty, trimmed.count <= 12 else { return nil }
        var value = 0
        for digit in trimmed {
            guard let digit = Character(UnicodeScalar(digit)).hexDigitValue, digit < radix else { return nil }
            value = value * radix + digit
        }
        return value
    }
}
