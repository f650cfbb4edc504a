// Responses, whole, in pieces, and broken.

import Testing

@testable import StripAPI

private func parse(_ text: String, closes: Bool = true) throws -> Response {
    try parse([Array(text.utf8)], closes: closes)
}

private func parse(_ pieces: [[UInt8]], closes: Bool = true) throws -> Response {
    var parser = ResponseParser(limits: .init(head: 1024, body: 4096))
    for piece in pieces { try parser.feed(piece[...]) }
    if closes, !parser.isComplete { try parser.end() }
    return parser.response
}

@Suite struct ResponseParserTests {
    static let whole: [(name: String, text: String, body: String)] = [
        (
            "counted", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{\"on\":true}",
            "{\"on\":true}"
        ),
        (
            "chunked",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"on\"\r\n6;x=y\r\n:true}\r\n0\r\nX-T: 1\r\n\r\n",
            "{\"on\":true}"
        ),
        ("until the end", "HTTP/1.0 200 OK\r\n\r\n{\"on\":true}", "{\"on\":true}"),
        ("bare line feeds", "HTTP/1.1 200 OK\ncontent-length:2\n\n{}", "{}"),
        ("no body", "HTTP/1.1 204 No Content\r\n\r\n", ""),
        ("empty body", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""),
        ("no reason", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n{}", "{}"),
        (
            "after an interim answer", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
            "{}"
        ),
        ("with more behind it", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}rest", "{}"),
    ]

    @Test(arguments: whole) func aResponseIsTheSameInWhateverPiecesItComes(
        _ name: String, _ text: String, _ body: String
    )
        throws
    {
        let bytes = Array(text.utf8)
        let response = try parse(text)
        #expect(String(decoding: response.body, as: UTF8.self) == body)
        #expect((200...204).contains(response.status))
        for split in 0...bytes.count {
            #expect(try parse([Array(bytes[..<split]), Array(bytes[split...])]) == response, "split at \(split)")
        }
        #expect(try parse(bytes.map { [$0] }) == response)
    }

    @Test func headersAreFoundByLowerCaseName() throws {
        let response = try parse("HTTP/1.1 503 No\r\nContent-TYPE: \t a/b \r\nContent-Length: 0\r\n\r\n")
        #expect(response.status == 503)
        #expect(response.header("content-type") == "a/b")
        #expect(response.header("date") == nil)
    }

    static let broken: [(text: String, error: ClientError)] = [
        ("", .endedEarly), ("HTTP/1.1 200 OK", .endedEarly), ("HTTP/1.1 200 OK\r\n", .endedEarly),
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}", .endedEarly),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", .endedEarly),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", .endedEarly),
        ("SSH-2.0-OpenSSH_9.2\r\n", .malformed("no status line")), ("\r\n", .malformed("no status line")),
        ("HTTP/2 200 OK\r\n", .malformed("no status line")), ("HTTP/1.1 2000 OK\r\n", .malformed("no status line")),
        ("HTTP/1.1 -20 OK\r\n", .malformed("no status line")), ("HTTP/1.1 000 OK\r\n", .malformed("no status line")),
        ("HTTP/1.1 200 OK\r\nno colon\r\n\r\n", .malformed("bad header line")),
        ("HTTP/1.1 200 OK\r\n: x\r\n\r\n", .malformed("bad header line")),
        ("HTTP/1.1 200 OK\r\nA B: x\r\n\r\n", .malformed("bad header line")),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .malformed("bad Content-Length")),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1e3\r\n\r\n", .malformed("bad Content-Length")),
        ("HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", .malformed("bad Content-Length")),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", .malformed("bad Content-Length")),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", .malformed("bad Content-Length")),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n", .tooLarge),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", .malformed("unknown transfer coding")),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", .malformed("bad chunk size")),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", .malformed("bad chunk size")),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", .malformed("bad chunk size")),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
            .malformed("a chunk is longer than it says")
        ),
        ("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 2000), .tooLarge),
        ("HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 500), .tooLarge),
        ("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 5000), .tooLarge),
    ]

    @Test(arguments: broken) func aBrokenResponseIsAnError(_ text: String, _ error: ClientError) {
        #expect(throws: error) { try parse(text) }
        #expect(throws: error) { try parse(text.utf8.map { [$0] }) }
    }

    @Test("users.md 148: whatever bytes come, the parser answers and stays within its limits")
    func randomBytesNeverTrap() {
        var random = Seeded(state: 0x5eed)
        for round in 0..<4000 {
            var bytes = Array(Self.whole[round % Self.whole.count].text.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
                case 2: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...3, using: &random)))
                default: bytes.insert(contentsOf: bytes[at...], at: at)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            var parser = ResponseParser(limits: .init(head: 256, body: 512))
            var rest = bytes[...]
            do throws(ClientError) {
                while !rest.isEmpty {
                    let piece = rest.prefix(Int.random(in: 1...9, using: &random))
                    rest = rest.dropFirst(piece.count)
                    try parser.feed(piece)
                    #expect(parser.response.body.count <= 512)
                }
                try parser.end()
                #expect(parser.isComplete)
            } catch {}  // an error is an answer too
        }
    }
}

/// SplitMix64: the same numbers on each run.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
