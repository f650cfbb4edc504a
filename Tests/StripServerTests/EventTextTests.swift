import StripCore
import StripModel
import Testing
import VirtualBlueZ

@testable import StripServer

/// The stream of events, as its readers see it.
@Suite struct EventTextTests {
    @Test func aSnapshotComesFirst() async throws {
        try await Desk.with(strips: 1) { desk in
            var empty = try await desk.events()
            #expect(await empty.text() == "event: snapshot\ndata: {\"strips\":[]}\n\n")
            try await desk.adopt("desk")
            let strip = try await desk.ask("GET /v1/strips/desk").body
            var events = try await desk.events()
            #expect(await events.text() == "event: snapshot\ndata: {\"strips\":[\(strip)]}\n\n")
        }
    }

    @Test func aChangeIsShown() async throws {
        try await Desk.with(strips: 1) { desk in
            try await desk.adopt("desk")
            var events = try await desk.events()
            _ = await events.text()
            _ = try await desk.ask(#"PATCH /v1/strips/desk?wait=20 {"color":"ff8800"}"#)
            var last = ""
            while let event = await events.text() {
                last = event
                if event.contains(#""pending":false"#), event.contains(#""color":"ff8800""#) { break }
            }
            #expect(last.hasPrefix("event: strip\ndata: {\"adapter\":\"hci0\",\"alias\":\"desk\""))
            #expect(last.hasSuffix("}\n\n"))
        }
    }

    @Test func aForgottenStripIsTold() async throws {
        try await Desk.with(strips: 1) { desk in
            try await desk.adopt("desk")
            var events = try await desk.events()
            _ = await events.text()
            _ = try await desk.ask("DELETE /v1/strips/desk")
            var last: String?
            repeat { last = await events.text() } while last?.hasPrefix("event: strip") == true
            #expect(last == "event: removed\ndata: {\"id\":\"ff:ff:38:5b:40:65\"}\n\n")
        }
    }

    @Test func anAdapterThatIsSwitchedOffIsTold() async throws {
        try await Desk.with(strips: 0) { desk in
            var events = try await desk.events()
            _ = await events.text()
            await desk.bluez.setPowered(adapter: 0, false)
            let expected =
                "event: adapter\ndata: {\"address\":\"00:1a:7d:da:71:13\",\"discovering\":false,\"in_use\":false,\"name\":\"hci0\",\"powered\":false}\n\n"
            var last: String?
            repeat { last = await events.text() } while last != nil && last != expected
            #expect(last == expected)
        }
    }

    @Test func aQuietStreamSaysThatItIsThere() async throws {
        try await Desk.with(strips: 0, heartbeat: .milliseconds(5)) { desk in
            var events = try await desk.events()
            _ = await events.text()
            while let event = await events.text(), event != ": still here\n\n" { #expect(event.hasPrefix("event: ")) }
            #expect(await events.text() == ": still here\n\n")
        }
    }

    @Test func theStreamEndsWhenTheDaemonStops() async throws {
        try await Desk.with(strips: 0) { desk in
            var events = try await desk.events()
            _ = await events.text()
            await desk.registry.stop()
            while await events.text() != nil {}
            var late = try await desk.events()
            #expect(await late.text() == nil)
        }
    }

    @Test("users.md 148: the 65th stream is refused, and one that goes makes room") func thereIsAnEndToStreams()
        async throws
    {
        try await Desk.without { desk in
            var streams: [EventText.Iterator] = []
            for _ in 0..<64 { streams.append(try await desk.events()) }
            let refused = try await desk.ask("GET /v1/events")
            #expect(refused.status == 503)
            #expect(refused.problem == "busy")
            #expect(
                refused["detail"] == "\"64 clients follow the events already; try again when one has gone\"")
            streams.removeLast()
            // The subscription ends in a task of its own, which runs before any that is started after it.
            while await desk.registry.hub.subscriberCount == 64 { await Task.yield() }
            #expect(try await desk.ask("GET /v1/events").status == 200)
            #expect(streams.count == 63)
        }
    }
}
