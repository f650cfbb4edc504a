extension WebServer {
    /// What one client may take of the daemon.
    public struct Limits: Sendable {
        /// Open connections; further clients wait in the listening socket's queue.
        public var connections = 256
        /// All header fields of a request together.
        public var headerBytes = 8 << 10
        /// How many header fields a request may have.
        public var headerFields = 64
        /// The request target, query included.
        public var targetBytes = 2 << 10
        /// The body, without its chunking.
        public var bodyBytes = 64 << 10
        /// From the first byte (or the connection) to the last byte of a request.
        public var requestTime: Duration = .seconds(10)
        /// How long a kept connection may rest between two requests, and how long an answer, or one element of a
        /// stream, may wait for a client that does not read.
        public var idleTime: Duration = .seconds(60)

        public init() {}
    }
}
