/// What a handler answers. `Content-Length` and chunking, `Date` and `Connection` are added on the way out.
public struct HTTPResponse: Sendable {
    public enum Body: Sendable {
        case bytes([UInt8])
        /// Sent as it comes, chunked, e.g. `text/event-stream`.
        ///
        /// It is pulled: the next element is awaited only when the previous one was handed to the socket, so that a
        /// slow reader costs nothing. The task that pulls is cancelled when the client goes or the server stops. A
        /// client that vanishes without a word is noticed by the next write, so send a comment now and then.
        case stream(any AsyncSequence<[UInt8], Never> & Sendable)
    }

    public var status: Int
    public var headers: [(String, String)]
    public var body: Body

    public init(status: Int, headers: [(String, String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
