/// One request as a handler sees it: complete, with its body, and already checked for framing tricks.
public struct HTTPRequest: Sendable {
    public var method: String
    /// As it was sent: still percent-encoded, without the query. Routes match `pathSegments()`.
    public var path: String
    /// Decoded, in the order in which it was sent; a name without `=` has an empty value.
    public var query: [(name: String, value: String)]
    public var headers: HTTPHeaders
    public var body: [UInt8]
    public var peer: Peer

    public init(
        method: String, path: String, query: [(name: String, value: String)] = [], headers: HTTPHeaders = [:],
        body: [UInt8] = [], peer: Peer
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.peer = peer
    }

    /// The path cut at its slashes, each piece percent-decoded; `/` has none.
    ///
    /// Nil where a path could mean more than one thing: a broken escape, `%00`, text that is not UTF-8, an empty
    /// piece, `.` and `..`.
    public func pathSegments() -> [String]? {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        if path.utf8.count == 1 { return [] }
        var segments: [String] = []
        for piece in path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = percentDecoded(piece), !segment.isEmpty, segment != ".", segment != ".." else {
                return nil
            }
            segments.append(segment)
        }
        return segments
    }

    /// The first value of `name` in the query.
    public func queryValue(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
