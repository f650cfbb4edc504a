import Testing
import VirtualBlueZ

/// Events, and HTTP that nobody should send.
@Suite struct RawHTTPTests {
    @Test("a snapshot first, then strips as they change") func events() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let connection = try await RawConnection.open(house.socket, on: house.loop)
            await connection.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
            let start = await connection.received(upTo: "\n\n")
            #expect(start.hasPrefix("HTTP/1.1 200"))
            #expect(start.contains("Content-Type: text/event-stream\r\n"))
            let first = start.firstRange(of: "event: ").map { start[$0.lowerBound...] }
            #expect(first?.hasPrefix("event: snapshot\ndata: {\"strips\":[{") == true, "\(start)")
            try await house.type("color ff8800 desk")
            let more = await connection.received(upTo: #""color":"ff8800""#)
            #expect(more.contains("event: strip\ndata: {"))
            await connection.close()
            #expect(try await house.type("status").status == 0)
        }
    }

    @Test(
        "users.md 148: garbage on the socket harms nobody else",
        arguments: [
            "garbage\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
            "GET /v1/strips HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "POST /v1/strips/desk HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
            "POST /v1/strips/desk HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1073741824\r\n\r\n{}",
            "POST /v1/strips/desk HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n{}",
            "POST /v1/strips/desk HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ])
    func garbage(bytes: String) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let connection = try await RawConnection.open(house.socket, on: house.loop)
            await connection.send(bytes)
            let answer = await connection.received(upTo: "\r\n\r\n")
            #expect(answer == "" || answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 5"), "\(answer)")
            await connection.close()
            #expect(try await house.type("on desk") == .done)
        }
    }

    @Test("users.md 130: a request that comes byte by byte, and one that never ends") func slowly() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let stalled = try await RawConnection.open(house.socket, on: house.loop)
            await stalled.send("PATCH /v1/strips/desk HTTP/1.1\r\nHo")
            let slow = try await RawConnection.open(house.socket, on: house.loop)
            for character
                in "PATCH /v1/strips/desk?wait=10 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{\"on\":true}"
                .unicodeScalars
            {
                await slow.send(String(character))
            }
            #expect(await slow.received(upTo: "\"written\"").hasPrefix("HTTP/1.1 200"))
            await slow.close()
            await stalled.close()
            #expect(await house.frames() == [Frames.on])
        }
    }

    @Test("users.md 128: a large body is refused, and the next request is served") func largeBody() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let reply = try await house.http(
                "PATCH /v1/strips/desk", #"{"color":"\#(String(repeating: "f", count: 70_000))"}"#)
            #expect(reply.status == 413 || reply.status == 422, "\(reply)")
            #expect(try await house.type("on desk") == .done)
        }
    }

    @Test("two requests on one connection") func keepAlive() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let connection = try await RawConnection.open(house.socket, on: house.loop)
            let request = "GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
            await connection.send(request)
            _ = await connection.received(upTo: #""version""#)
            await connection.send("GET /v1/effects HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(await connection.received(upTo: "three-color-jump").contains("seven-color-fade"))
            await connection.close()
        }
    }

    @Test("hanging up withdraws nothing") func hangingUp() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.setSilent(0, true)
            let connection = try await RawConnection.open(house.socket, on: house.loop)
            await connection.send(
                "PATCH /v1/strips/desk?wait=20 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{\"on\":true}"
            )
            await house.bluez.wait(forCalls: "StartDiscovery")
            await connection.close()
            await house.bluez.setSilent(0, false)
            #expect(await house.bluez.frames(of: 0, atLeast: 1).first == Frames.on)
        }
    }
}
