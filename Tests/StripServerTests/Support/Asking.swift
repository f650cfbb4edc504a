import FoundationEssentials
import StripAPI
import Testing

@testable import HTTPServer
@testable import StripServer

/// An answer of the handlers, as a test compares it.
struct Reply: Hashable, Sendable {
    var status: Int
    /// Times are replaced by `TIME`.
    var body: String
    var headers: [String: String]

    init(_ response: HTTPResponse) {
        status = response.status
        headers = Dictionary(response.headers, uniquingKeysWith: { one, _ in one })
        if case .bytes(let bytes) = response.body {
            body = String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(separator: "\n")
            body = body.replacing(#/"at":"[^"]*"/#, with: #""at":"TIME""#)
        } else {
            body = "a stream"
        }
    }

    /// One member of the outer object, as JSON.
    subscript(_ name: String) -> String? {
        let members = try? JSONDecoder().decode([String: JSONText].self, from: Data(body.utf8))  // nil: no object
        return members?[name]?.text
    }

    /// The end of the problem's type.
    var problem: String? { self["type"]?.replacing("\"", with: "").replacing("urn:stripd:", with: "") }
}

extension Desk {
    /// Asks as in `PATCH /v1/strips/desk?wait=5 {"on":true}`; a body is JSON unless said otherwise.
    func ask(_ text: String, headers: HTTPHeaders = [:]) async throws -> Reply {
        Reply(await router.answer(try request(text, headers: headers)))
    }

    func request(_ text: String, headers: HTTPHeaders = [:]) throws -> HTTPRequest {
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        let (path, query) = try #require(RequestCheck.split(target: words[1]))
        var headers = headers
        if words.count > 2, headers["content-type"] == nil { headers.append("Content-Type", "application/json") }
        return HTTPRequest(
            method: words[0], path: path, query: query, headers: headers,
            body: words.count > 2 ? Array(words[2].utf8) : [],
            peer: .unix(pid: 123, uid: 1000, gid: 1000))
    }

    /// Takes strips in, in their order.
    func adopt(_ aliases: String...) async throws {
        for (index, alias) in aliases.enumerated() {
            let answer = try await ask("PUT /v1/strips/ff:ff:38:5b:40:\(65 + index) {\"alias\":\"\(alias)\"}")
            #expect(answer.status == 201, "\(answer.body)")
        }
    }

    /// The stream of events, text by text.
    func events() async throws -> EventText.Iterator {
        let response = await router.answer(try request("GET /v1/events"))
        guard case .stream(let stream) = response.body, let text = stream as? EventText else {
            throw NoStream(status: response.status)
        }
        return text.makeAsyncIterator()
    }

    struct NoStream: Error { var status: Int }
}

extension EventText.Iterator {
    /// With times as `TIME`.
    mutating func text() async -> String? {
        await next().map { String(decoding: $0, as: UTF8.self).replacing(#/"at":"[^"]*"/#, with: #""at":"TIME""#) }
    }
}
