import HTTPServer
import Testing

/// What goes over the wire, byte for byte, and what comes back.
@Suite(.timeLimit(.minutes(1))) struct RawRequestTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let bytes: String
        let status: Int
        init(_ name: String, _ bytes: String, _ status: Int) {
            (self.name, self.bytes, self.status) = (name, bytes, status)
        }
        var testDescription: String { name }
    }

    static let head = "PATCH /v1 HTTP/1.1\r\nHost: x\r\n"
    static let cases: [Case] = [
        Case("plain", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        Case("HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n", 200),
        Case("no Host", "GET / HTTP/1.1\r\n\r\n", 400),
        Case("users.md 125: two Host headers", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        Case("body", head + "Content-Length: 2\r\n\r\n{}", 200),
        Case("blank after the length", head + "Content-Length: 2 \r\n\r\n{}", 400),
        Case("chunked body", head + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", 200),
        Case(
            "chunk extension, trailer", head + "Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nA: b\r\n\r\n", 200
        ),
        Case("both lengths", head + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        Case(
            "both lengths, other order", head + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n", 400),
        Case("equal lengths twice", head + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", 400),
        Case("lengths that differ", head + "Content-Length: 2\r\nContent-Length: 9\r\n\r\n{}", 400),
        Case("list of lengths", head + "Content-Length: 2, 2\r\n\r\n{}", 400),
        Case("negative length", head + "Content-Length: -1\r\n\r\n", 400),
        Case("signed length", head + "Content-Length: +2\r\n\r\n{}", 400),
        Case("hexadecimal length", head + "Content-Length: 0x2\r\n\r\n{}", 400),
        Case("empty length", head + "Content-Length:\r\n\r\n", 400),
        Case("blank before the colon", head + "Content-Length : 2\r\n\r\n{}", 400),
        Case("users.md 128: 70 KiB", head + "Content-Length: 71680\r\n\r\n", 413),
        Case("users.md 148: 1 GiB", head + "Content-Length: 1073741824\r\n\r\n", 413),
        Case("length over 64 bits", head + "Content-Length: 99999999999999999999999\r\n\r\n", 413),
        Case("gzip as transfer encoding", head + "Transfer-Encoding: gzip\r\n\r\n", 501),
        Case("gzip, chunked", head + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
        Case("chunked twice", head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        Case("chunk size that is no number", head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        Case("chunk size over 64 bits", head + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", 413),
        Case("chunk longer than its size", head + "Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n", 400),
        Case("blank in the target", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        Case("UTF-8 in the target", "GET /caf\u{E9} HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        Case("control byte in the target", "GET /\u{1} HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        Case("broken escape in the query", "GET /?a=%4 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        Case("target of 3 KiB", "GET /\(String(repeating: "a", count: 3 << 10)) HTTP/1.1\r\nHost: x\r\n\r\n", 414),
        Case("target of 1 MiB", "GET /\(String(repeating: "a", count: 1 << 20)) HTTP/1.1\r\nHost: x\r\n\r\n", 414),
        Case("header of 9 KiB", head + "A: \(String(repeating: "a", count: 9 << 10))\r\n\r\n", 431),
        Case("header of 1 MiB", head + "A: \(String(repeating: "a", count: 1 << 20))\r\n\r\n", 431),
        Case("70 header fields", head + String(repeating: "A: b\r\n", count: 70) + "\r\n", 431),
        Case("header without a colon", head + "Nonsense\r\n\r\n", 400),
        Case("HTTP/3.0", "GET / HTTP/3.0\r\nHost: x\r\n\r\n", 505),
    ]

    static let unfinished: [(String, String)] = [
        ("half a request, then the end", "GET / HTTP/1.1\r\nHo"),
        ("users.md 128: fewer bytes than promised", head + "Content-Length: 5\r\n\r\n{}"),
        ("only chunks, no end", head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"),
        ("a TLS hello", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\r\n\r\n"),
    ]

    @Test(arguments: unfinished)
    func whatNeverBecomesARequestIsClosedWithoutAnAnswer(name: String, bytes: String) async throws {
        var limits = WebServer.Limits()
        limits.requestTime = .milliseconds(50)
        try await withServer(limits: limits) { server in
            for transport in TestServer.Transport.allCases {
                let client = try server.connect(transport)
                client.send(bytes)
                client.endSending()
                #expect(try await client.reply() == nil, "over \(transport)")
            }
        }
    }

    @Test(arguments: cases)
    func aRequestGetsTheStatusThatItDeserves(_ sample: Case) async throws {
        try await withServer { server in
            for transport in TestServer.Transport.allCases {
                let client = try server.connect(transport)
                client.send(sample.bytes)
                client.endSending()
                #expect(try await client.reply()?.status == sample.status, "over \(transport)")
            }
            let other = try server.connect()
            other.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await other.reply()?.status == 200, "others are served")
        }
    }

    @Test("users.md 130: a request in pieces of one byte is understood")
    func byteByByte() async throws {
        try await withServer { server in
            for transport in TestServer.Transport.allCases {
                let client = try server.connect(transport)
                let bytes =
                    "PATCH /v1?a=b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
                for byte in bytes.utf8 { client.send([byte]) }
                #expect(try await client.reply()?.body == "PATCH v1 [a=b] {}")
            }
        }
    }

    @Test func requestsInOnePacketAreAnsweredInTurn() async throws {
        try await withServer { server in
            let client = try server.connect()
            client.send(
                "GET /1 HTTP/1.1\r\nHost: x\r\n\r\n" + "POST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n!"
                    + "GET /3 HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.reply()?.body == "GET 1 [] ")
            #expect(try await client.reply()?.body == "POST 2 [] !")
            #expect(try await client.reply()?.body == "GET 3 [] ")
        }
    }

    @Test func whatFollowsARefusedRequestIsNotTakenForAnother() async throws {
        try await withServer { server in
            let client = try server.connect()
            client.send(
                "POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                    + "GET /2 HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.reply()?.status == 400)
            #expect(try await client.reply() == nil)
        }
    }

    @Test func aBodyAtTheLimitIsTaken() async throws {
        try await withServer { server in
            let client = try server.connect()
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65536\r\n\r\n")
            client.send([UInt8](repeating: UInt8(ascii: "a"), count: 65536))
            #expect(try await client.reply()?.body.utf8.count == "POST  [] ".utf8.count + 65536)
        }
    }

    @Test("users.md 128: a chunked body over the limit is refused, an endless one is cut")
    func chunkedOverTheLimit() async throws {
        try await withServer { server in
            let chunk = "4000\r\n" + String(repeating: "a", count: 0x4000) + "\r\n"
            let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            let client = try server.connect()
            client.send(head + String(repeating: chunk, count: 5) + "0\r\n\r\n")
            #expect(try await client.reply()?.status == 413)

            let flood = try server.connect()
            flood.send(head)
            while flood.send(chunk) {}
            #expect(try await flood.reply() == nil)
        }
    }

    @Test func refusalsHaveTheShapeThatTheProductGivesThem() async throws {
        let problem: WebServer.Refusal = { status, sentence in
            HTTPResponse(
                status: status, headers: [("Content-Type", "application/problem+json")],
                body: .bytes(Array(#"{"status":\#(status),"detail":"\#(sentence)"}"#.utf8)))
        }
        try await withServer(refusal: problem) { server in
            let client = try server.connect()
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n")
            let reply = try #require(try await client.reply())
            #expect(reply.headers["content-type"] == "application/problem+json")
            #expect(reply.body == #"{"status":413,"detail":"The body is longer than 65536 bytes."}"#)
        }
    }

    @Test func anUploadThatWouldBeRefusedIsNotInvited() async throws {
        try await withServer { server in
            let client = try server.connect()
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await client.reply()?.status == 413)
            let other = try server.connect()
            other.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await other.reply()?.status == 100)
            other.send("{}")
            #expect(try await other.reply()?.body == "POST  [] {}")
        }
    }

    @Test func whoHasSaidAllIsStillAnswered() async throws {
        try await withServer { server in
            for transport in TestServer.Transport.allCases {
                let client = try server.connect(transport)
                client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                client.endSending()
                #expect(try await client.reply()?.status == 200)
                #expect(await client.isAtEnd())
            }
        }
    }
}
