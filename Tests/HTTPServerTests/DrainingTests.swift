import HTTPServer
import Testing

@Suite(.timeLimit(.minutes(1))) struct DrainingTests {
    @Test func aRequestThatIsWaitedForIsStillAnswered() async throws {
        let gate = Gate()
        let handler: WebServer.Handler = { request in
            await gate.pass()
            return await echo(request)
        }
        try await withServer(handler: handler) { server in
            let client = try server.connect()
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            await gate.someoneWaits()
            async let drained: Void = server.server.drain(within: .seconds(60))
            while (try? server.connect()) != nil { await Task.yield() }  // until nobody listens any more
            gate.open()
            let reply = try #require(try await client.reply())
            #expect(reply.body == "GET slow [] ")
            #expect(reply.headers["connection"] == "close")
            #expect(await client.isAtEnd())
            await drained
        }
    }

    @Test func aHandlerThatNeverEndsIsLeftBehindAtTheLimit() async throws {
        let gate = Gate()
        let handler: WebServer.Handler = { request in
            await gate.pass()
            return await echo(request)
        }
        try await withServer(handler: handler) { server in
            let client = try server.connect()
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            await gate.someoneWaits()
            await server.server.drain(within: .milliseconds(10))
            #expect(try await client.reply() == nil)
            gate.open()
        }
    }

    @Test func restingConnectionsAndStreamsEndAtOnce() async throws {
        let silence = Silence()
        try await withServer(handler: StreamingTests.handler(silence)) { server in
            let resting = try server.connect()
            resting.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await resting.reply()?.status == 200)
            let stream = try server.connect(.tcp)
            stream.send(StreamingTests.request)
            _ = try await stream.head()
            await silence.gate.someoneWaits()
            await server.server.drain(within: .seconds(3600))
            #expect(await resting.isAtEnd())
            #expect(try await stream.chunk() == "")
            #expect(await stream.isAtEnd())
        }
    }

    @Test func aHandlerMayStopTheServerThatCallsIt() async throws {
        let box = ServerBox()
        let handler: WebServer.Handler = { request in
            await box.server?.stop()
            box.stopped.open()
            return await echo(request)
        }
        try await withServer(handler: handler) { server in
            box.server = server.server
            let client = try server.connect()
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.reply() == nil)
            await box.stopped.pass()
            box.server = nil
        }
    }

    @Test func whoSendsNothingIsCutAtTheDeadline() async throws {
        var limits = WebServer.Limits()
        limits.requestTime = .milliseconds(20)
        try await withServer(limits: limits) { server in
            for start in ["", "GET /", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"] {
                for transport in TestServer.Transport.allCases {
                    let client = try server.connect(transport)
                    client.send(start)
                    #expect(try await client.reply() == nil)
                }
            }
        }
    }

    @Test("users.md 130: a byte now and then does not hold a connection")
    func dribbling() async throws {
        var limits = WebServer.Limits()
        limits.requestTime = .milliseconds(20)
        limits.bodyBytes = 1 << 30
        try await withServer(limits: limits) { server in
            let client = try server.connect()
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n")
            while client.send("a") { await Task.yield() }
            #expect(try await client.reply() == nil)
        }
    }

    @Test func aConnectionThatRestsTooLongIsClosed() async throws {
        var limits = WebServer.Limits()
        limits.idleTime = .milliseconds(20)
        try await withServer(limits: limits) { server in
            let client = try server.connect()
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.reply()?.status == 200)
            #expect(await client.isAtEnd())
        }
    }
}

private final class ServerBox: Sendable {
    nonisolated(unsafe) var server: WebServer?
    let stopped = Gate()
}
