/// What to ask.
public struct Request: Hashable, Sendable {
    public var method: String
    /// Percent-encoded.
    public var path: String
    public var query: [(name: String, value: String)]
    /// JSON, or empty.
    public var body: [UInt8]

    public init(
        _ route: Route, _ targets: [String] = [], query: [(name: String, value: String)] = [], body: String = ""
    ) {
        (method, path, self.query, self.body) = (route.method, route.path(targets), query, Array(body.utf8))
    }

    /// The path with its query.
    public var target: String {
        guard !query.isEmpty else { return path }
        return path + "?" + query.map { $0.name + "=" + percentEncoded($0.value) }.joined(separator: "&")
    }

    /// As it goes over the socket.
    func bytes(accept: String) -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: \(accept)\r\nConnection: close\r\n"
        if !body.isEmpty {
            head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n"
        } else if method != "GET" {
            head += "Content-Length: 0\r\n"
        }
        return Array((head + "\r\n").utf8) + body
    }

    public static func == (a: Request, b: Request) -> Bool {
        a.method == b.method && a.target == b.target && a.body == b.body
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(target) }
}

/// A minimal HTTP/1.1 client on a Unix socket: one request a connection, blocking, nothing but libc below it, so that a
/// command line that uses it starts in a millisecond.
public struct StripClient: Sendable {
    /// Of the socket.
    public let path: String
    /// How long an answer may take before the person is told.
    var secondsOfSilence = 1

    public init(socket path: String) { self.path = path }

    /// Asks and waits for the whole answer, `seconds` at most. `whileWaiting` is called once, if there is nothing
    /// after a second.
    ///
    /// - Throws: `ClientError.timedOut` after `seconds`, another one if there is no daemon or no answer that can be read.
    public func send(
        _ request: Request, seconds: Int, whileWaiting: () -> Void = {}
    ) throws(ClientError) -> Response {
        let deadline = Deadline(afterSeconds: seconds)
        let socket = try LocalSocket(connectingTo: path)
        try socket.send(request.bytes(accept: "application/json, application/problem+json"))
        var parser = ResponseParser()
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        if try !socket.waitForInput(until: Deadline(afterSeconds: min(seconds, secondsOfSilence))) { whileWaiting() }
        while !parser.isComplete {
            guard try socket.waitForInput(until: deadline) else { throw .timedOut(seconds: seconds) }
            let count = try socket.receive(into: &buffer)
            if count == 0 { try parser.end() } else { try parser.feed(buffer[..<count]) }
        }
        return parser.response
    }

    /// Hands each event of a stream to `each` until that answers false or the daemon ends it. An answer that is no stream
    /// is returned whole.
    ///
    /// - Throws: `ClientError`, and whatever `each` throws.
    public func follow(_ request: Request, each: (StreamEvent) throws -> Bool) throws -> Response? {
        let socket = try LocalSocket(connectingTo: path)
        try socket.send(request.bytes(accept: "text/event-stream"))
        var parser = ResponseParser()
        var events = EventStreamParser()
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while !parser.isComplete {
            _ = try socket.waitForInput(until: nil)
            let count = try socket.receive(into: &buffer)
            if count == 0 { try parser.end() } else { try parser.feed(buffer[..<count]) }
            guard parser.hasHead, parser.response.status == 200 else { continue }
            for event in try events.feed(parser.takeBody()) { if try !each(event) { return nil } }
        }
        return parser.response.status == 200 ? nil : parser.response
    }
}
