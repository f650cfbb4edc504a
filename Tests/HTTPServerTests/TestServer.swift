import EventLoop
import Glibc
import HTTPServer

/// A server on a Unix socket and on a loopback port, with a loop of its own, for as long as `body` runs.
func withServer<Result>(
    limits: WebServer.Limits = .init(), refusal: @escaping WebServer.Refusal = WebServer.plainRefusal,
    handler: @escaping WebServer.Handler = echo, _ body: (TestServer) async throws -> Result
) async throws -> Result {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let directory = try TemporaryDirectory()
    let server = WebServer(on: loop, limits: limits, refusal: refusal, handler: handler)
    let path = directory.path + "/socket"
    do {
        let tcp = try ListeningSocket.tcp(host: "127.0.0.1", port: 0)
        let port = tcp.port ?? 0
        try await server.listen(on: .unix(path: path, mode: 0o600))
        try await server.listen(on: tcp)
        let result = try await body(TestServer(server: server, loop: loop, path: path, port: port))
        await server.stop()
        return result
    } catch {
        await server.stop()
        throw error
    }
}

struct TestServer: Sendable {
    let server: WebServer
    let loop: EventLoop
    let path: String
    let port: UInt16

    enum Transport: CaseIterable {
        case unix, tcp
    }

    func connect(_ transport: Transport = .unix) throws -> RawClient {
        switch transport {
        case .unix: try RawClient(unix: path, on: loop)
        case .tcp: try RawClient(tcp: port, on: loop)
        }
    }
}

/// Answers with what it understood.
let echo: WebServer.Handler = { request in
    let segments = request.pathSegments().map { $0.joined(separator: "|") } ?? "nil"
    let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    let text = "\(request.method) \(segments) [\(query)] \(String(decoding: request.body, as: UTF8.self))"
    return HTTPResponse(status: 200, headers: [("Content-Type", "text/plain")], body: .bytes(Array(text.utf8)))
}

/// Removed with all that is in it when the last one lets go.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/http-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Errno.last }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in ["/socket", "/socket.lock", "/other", "/new/socket", "/new/socket.lock"] { unlink(path + name) }
        rmdir(path + "/new")
        rmdir(path)
    }
}
