import HTTPServer
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct StreamingTests {
    static let request = "GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n"

    static func handler(_ chunks: any AsyncSequence<[UInt8], Never> & Sendable) -> WebServer.Handler {
        { request in
            guard request.path == "/v1/events" else { return await echo(request) }
            return HTTPResponse(
                status: 200, headers: [("Content-Type", "text/event-stream")], body: .stream(chunks))
        }
    }

    @Test(arguments: TestServer.Transport.allCases)
    func eachElementArrivesAsItComesAndTheEndIsClean(over transport: TestServer.Transport) async throws {
        let (stream, source) = AsyncStream.makeStream(of: [UInt8].self)
        try await withServer(handler: Self.handler(stream)) { server in
            let client = try server.connect(transport)
            client.send(Self.request)
            #expect(try await client.head()?.contains("Content-Type: text/event-stream") == true)
            for number in 0..<20 {
                source.yield(Array("data: \(number)\n\n".utf8))
                #expect(try await client.chunk() == "data: \(number)\n\n")
            }
            source.yield([])
            source.yield(Array("last".utf8))
            source.finish()
            #expect(try await client.chunk() == "last")
            #expect(try await client.chunk() == "")
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.reply()?.status == 200, "the connection can be used again")
        }
    }

    @Test func anElementLargerThanEveryBufferArrivesWhole() async throws {
        let text = String(repeating: "0123456789abcdef", count: 1 << 16)
        let (stream, source) = AsyncStream.makeStream(of: [UInt8].self)
        source.yield(Array(text.utf8))
        source.finish()
        try await withServer(handler: Self.handler(stream)) { server in
            let client = try server.connect()
            client.send(Self.request)
            let reply = try #require(try await client.reply())
            #expect(reply.body == text)
            #expect(!reply.isCut)
        }
    }

    @Test func anHTTP10ClientGetsTheStreamUnchunked() async throws {
        let (stream, source) = AsyncStream.makeStream(of: [UInt8].self)
        source.yield(Array("one".utf8))
        source.yield(Array("two".utf8))
        source.finish()
        try await withServer(handler: Self.handler(stream)) { server in
            let client = try server.connect()
            client.send("GET /v1/events HTTP/1.0\r\n\r\n")
            #expect(try await client.reply()?.body == "onetwo")
        }
    }

    @Test func headOfAStreamPullsNothing() async throws {
        let endless = Endless()
        try await withServer(handler: Self.handler(endless)) { server in
            let client = try server.connect()
            client.send("HEAD /v1/events HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.reply(toHead: true)?.headers["content-type"] == "text/event-stream")
            #expect(await client.isAtEnd(), "not even the end of a body")
            #expect(endless.pulled == 0)
        }
    }

    @Test func aSlowReaderIsNotRunAheadOf() async throws {
        let endless = Endless()
        try await withServer(handler: Self.handler(endless)) { server in
            let client = try server.connect()
            client.send(Self.request)
            _ = try await client.head()
            var read = 0
            while read < 200 * Endless.chunk.count {
                read += try await client.chunk()?.utf8.count ?? 0
                // What the kernel and this client hold of it is all that may have been pulled.
                #expect(endless.pulled * Endless.chunk.count - read < 1 << 20)
            }
        }
    }

    @Test func aSilentStreamIsCancelledWhenItsClientHangsUp() async throws {
        for transport in TestServer.Transport.allCases {
            let silence = Silence()
            try await withServer(handler: Self.handler(silence)) { server in
                var client: RawClient? = try server.connect(transport)
                client?.resetOnClose()
                client?.send(Self.request)
                _ = try await client?.head()
                await silence.gate.someoneWaits()
                client = nil
                #expect(await silence.gate.nextWord() == "cancelled")
            }
        }
    }

    @Test(arguments: TestServer.Transport.allCases)
    func aBusyStreamIsCancelledWhenItsClientHangsUp(over transport: TestServer.Transport) async throws {
        let endless = Endless()
        try await withServer(handler: Self.handler(endless)) { server in
            var client: RawClient? = try server.connect(transport)
            client?.send(Self.request)
            _ = try await client?.head()
            client = nil
            #expect(await endless.gate.nextWord() == "cancelled")
        }
    }

    @Test func stoppingEndsLiveStreamsCleanly() async throws {
        let silence = Silence()
        try await withServer(handler: Self.handler(silence)) { server in
            let clients = try (0..<10).map { try server.connect($0.isMultiple(of: 2) ? .unix : .tcp) }
            for client in clients {
                client.send(Self.request)
                _ = try await client.head()
                await silence.gate.someoneWaits()
            }
            await server.server.stop()
            for client in clients {
                #expect(try await client.chunk() == "")
                #expect(await client.isAtEnd())
            }
        }
    }
}

/// A sequence that always has something to say, and says how often it was asked.
final class Endless: AsyncSequence, Sendable {
    static let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 16 << 10)
    private let count = Atomic(0)
    let gate = Gate()
    var pulled: Int { count.load(ordering: .relaxed) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let sequence: Endless
        mutating func next() async -> [UInt8]? { await next(isolation: #isolation) }
        mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? {
            if Task.isCancelled {
                sequence.gate.say("cancelled")
                return nil
            }
            sequence.count.add(1, ordering: .relaxed)
            return Endless.chunk
        }
    }
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self) }
}

/// A sequence that never has anything to say, and says when it is cancelled.
final class Silence: AsyncSequence, Sendable {
    let gate = Gate()

    struct AsyncIterator: AsyncIteratorProtocol {
        let sequence: Silence
        mutating func next() async -> [UInt8]? { await next(isolation: #isolation) }
        mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? {
            let (stream, source) = AsyncStream.makeStream(of: Void.self)
            let gate = sequence.gate
            await withTaskCancellationHandler {
                gate.sayWaiting()
                for await _ in stream {}
            } onCancel: {
                source.finish()
                gate.say("cancelled")
            }
            return nil
        }
    }
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self) }
}
