import Glibc
import HTTPServer
import Testing

@Suite(.timeLimit(.minutes(1))) struct WebServerTests {
    @Test(arguments: TestServer.Transport.allCases)
    func aRequestIsAnswered(over transport: TestServer.Transport) async throws {
        try await withServer { server in
            let client = try server.connect(transport)
            client.send("GET /v1/strips?wait=20 HTTP/1.1\r\nHost: x\r\n\r\n")
            let reply = try #require(try await client.reply())
            #expect(reply.status == 200)
            #expect(reply.body == "GET v1|strips [wait=20] ")
            #expect(reply.headers["content-type"] == "text/plain")
        }
    }

    @Test func oneConnectionServesManyRequests() async throws {
        try await withServer { server in
            let client = try server.connect()
            for number in 0..<100 {
                client.send("GET /\(number) HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try await client.reply()?.body == "GET \(number) [] ")
            }
        }
    }

    @Test func headHasTheHeadersOfGetAndNoBody() async throws {
        try await withServer { server in
            let client = try server.connect()
            client.send("HEAD /v1 HTTP/1.1\r\nHost: x\r\n\r\nGET /v1 HTTP/1.1\r\nHost: x\r\n\r\n")
            let head = try #require(try await client.reply(toHead: true))
            #expect(head.headers["content-length"] == String("HEAD v1 [] ".utf8.count))
            #expect(try await client.reply()?.body == "GET v1 [] ")
        }
    }

    @Test func headersReachTheHandlerInLowerCase() async throws {
        let handler: WebServer.Handler = { request in
            let text = request.headers.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
            return HTTPResponse(status: 200, body: .bytes(Array(text.utf8)))
        }
        try await withServer(handler: handler) { server in
            let client = try server.connect()
            client.send("GET / HTTP/1.1\r\nHOST: Desk:1 \r\nX-A: 1\r\nx-a:\t2\r\nEmpty:\r\n\r\n")
            #expect(try await client.reply()?.body == "host=Desk:1;x-a=1;x-a=2;empty=")
        }
    }

    @Test func theKernelSaysWhoIsAsking() async throws {
        let handler: WebServer.Handler = { request in
            let text =
                switch request.peer {
                case .unix(let pid, let uid, let gid): "\(pid) \(uid) \(gid)"
                case .tcp(let address): address
                }
            return HTTPResponse(status: 200, body: .bytes(Array(text.utf8)))
        }
        try await withServer(handler: handler) { server in
            for (transport, who) in [
                (TestServer.Transport.unix, "\(getpid()) \(getuid()) \(getgid())"), (.tcp, "127.0.0.1"),
            ] {
                let client = try server.connect(transport)
                client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try await client.reply()?.body == who)
            }
        }
    }

    @Test func aHandlerMayTakeItsTime() async throws {
        let gate = Gate()
        let handler: WebServer.Handler = { request in
            if request.path == "/slow" { await gate.pass() }
            return await echo(request)
        }
        try await withServer(handler: handler) { server in
            let (slow, quick) = (try server.connect(), try server.connect())
            slow.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n")
            await gate.someoneWaits()
            quick.send("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await quick.reply()?.body == "GET quick [] ")
            gate.open()
            #expect(try await slow.reply()?.body == "GET slow [] ")
            #expect(try await slow.reply()?.body == "GET next [] ")
        }
    }

    @Test(arguments: TestServer.Transport.allCases)
    func hangingUpWithdrawsNothing(over transport: TestServer.Transport) async throws {
        let gate = Gate()
        let handler: WebServer.Handler = { request in
            if request.path == "/slow" {
                await gate.pass()
                gate.say(Task.isCancelled ? "cancelled" : "done")
            }
            return await echo(request)
        }
        try await withServer(handler: handler) { server in
            var client: RawClient? = try server.connect(transport)
            client?.send("PATCH /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            await gate.someoneWaits()
            client = nil
            gate.open()
            #expect(await gate.nextWord() == "done")
            let other = try server.connect(transport)
            other.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await other.reply()?.status == 200)
        }
    }

    @Test func anAnswerWithABrokenHeaderIsNotSent() async throws {
        let handler: WebServer.Handler = { _ in HTTPResponse(status: 200, headers: [("X", "a\r\nSet-Cookie: b")]) }
        try await withServer(handler: handler) { server in
            let client = try server.connect()
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.reply()?.status == 500)
        }
    }

    @Test("users.md 148: 1000 clients that connect and reset leave the server as it was")
    func connectAndReset() async throws {
        try await withServer { server in
            for number in 0..<1000 {
                let client = try server.connect(number.isMultiple(of: 2) ? .unix : .tcp)
                client.resetOnClose()
                switch number % 3 {
                case 0: client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                case 1: client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{")
                default: break
                }
            }
            let client = try server.connect()
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.reply()?.status == 200)
        }
    }

    @Test("users.md 130: 200 stalled clients do not keep the next one out")
    func stalledClients() async throws {
        try await withServer { server in
            let stalled = try (0..<200).map { number in
                let client = try server.connect()
                client.send(
                    number.isMultiple(of: 2) ? "GET / HT" : "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")
                return client
            }
            let client = try server.connect()
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.reply()?.status == 200)
            #expect(stalled.count == 200)
        }
    }

    @Test func clientsOverTheLimitWaitForAPlace() async throws {
        var limits = WebServer.Limits()
        limits.connections = 2
        try await withServer(limits: limits) { server in
            var first: RawClient? = try server.connect()
            first?.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await first?.reply()?.status == 200)
            let second = try server.connect()
            second.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await second.reply()?.status == 200)
            let third = try server.connect()
            third.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            first = nil
            #expect(try await third.reply()?.status == 200)
        }
    }
}
