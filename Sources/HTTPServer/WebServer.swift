public import EventLoop

/// An HTTP/1.1 server on an `EventLoop`.
public actor WebServer {
    public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse
    /// Makes the answer to a request that the server itself refuses, from a status and a sentence for people.
    public typealias Refusal = @Sendable (Int, String) -> HTTPResponse

    private let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let limits: Limits
    private let refusal: Refusal
    private let handler: Handler

    public init(
        on loop: EventLoop, limits: Limits = Limits(), refusal: @escaping Refusal = WebServer.plainRefusal,
        handler: @escaping Handler
    ) {
        self.loop = loop
        self.limits = limits
        self.refusal = refusal
        self.handler = handler
    }

    /// One line of plain text.
    public static let plainRefusal: Refusal = { status, sentence in
        HTTPResponse(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")],
            body: .bytes(Array((sentence + "\n").utf8)))
    }

    /// Serves `socket` from now on, and closes it in the end.
    public func listen(on socket: ListeningSocket) throws(Errno) {}

    /// Stops accepting, ends streams at once, lets other exchanges end for at most `limit`, then stops.
    public func drain(within limit: Duration) async {}

    /// Ends every connection at once. Must have been called (by itself or by `drain`) before the server is dropped.
    public func stop() async {}
}
