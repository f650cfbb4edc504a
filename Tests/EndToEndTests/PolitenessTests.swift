import Testing
import VirtualBlueZ

/// Nothing happens to a light, nor to the radio, that nobody asked for.
@Suite struct PolitenessTests {
    @Test("users.md 97, 98: a start connects to nothing and invents nothing") func start() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("color ff8800 desk")
            let mark = await house.bluez.recordedCalls.count
            try await house.restartDaemon()
            let status = try await house.status()
            #expect(status["on"] == nil)
            #expect(status["certainty"]["power"]["is"] == "unknown")
            #expect(status["certainty"]["light"]["is"] == "unknown")
            #expect(status["color"] == "ff8800", "it is kept")
            try await house.type("list")
            let calls = await house.bluez.recordedCalls.dropFirst(mark).map(\.member)
            #expect(calls.allSatisfy { ["GetManagedObjects", "Disconnect"].contains($0) }, "\(calls)")
            #expect(await house.frames() == [Frames.on, Frames.orange])
        }
    }

    @Test("users.md 97: a link that is always kept is rebuilt, and the strip is only asked") func keptLinks()
        async throws
    {
        try await House.with(strips: 1, arguments: ["--keep-link", "always"], adopted: ["desk"]) { house in
            await house.bluez.wait(for: 0) { $0 == .linked }
            #expect(await house.bluez.frames(of: 0, atLeast: 1) == [Frames.query])
            await house.bluez.drop(0)
            await house.bluez.wait(for: 0) { $0 == .unlinked }
            #expect(await house.bluez.frames(of: 0, atLeast: 2) == [Frames.query, Frames.query])
            try await house.until { $0["link"] == "ready" }
            await house.bluez.setPowered(adapter: 0, false)
            try await house.until { $0["link"] == "unavailable" }
            await house.bluez.setPowered(adapter: 0, true)
            #expect(await house.bluez.frames(of: 0, atLeast: 3) == [Frames.query, Frames.query, Frames.query])
        }
    }

    @Test("a link that nobody needs is not rebuilt") func idleLinks() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("on desk")
            await house.bluez.drop(0)
            try await house.until { $0["link"] == "idle" }
            #expect(await house.bluez.recordedCalls("Connect").count == 1)
            #expect(await house.bluez.isLinked(0) == false)
            #expect(try await house.type("off desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.off])
        }
    }

    @Test("users.md 11, 29, 34: discovery runs while a strip is looked for, never during a Connect, and not after")
    func discovery() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("on desk")
            let order = await house.bluez.recordedCalls.map(\.member)
            let start = try #require(order.firstIndex(of: "StartDiscovery"))
            let stop = try #require(order.firstIndex(of: "StopDiscovery"))
            let connect = try #require(order.firstIndex(of: "Connect"))
            #expect(start < stop && stop < connect, "\(order)")
            #expect(await house.bluez.isDiscovering(adapter: 0) == false)
            try await house.type("off desk")
            #expect(await house.bluez.recordedCalls("StartDiscovery").count == 1)
        }
    }

    @Test("a strip that was linked once is trusted, so that the next link needs no scan") func trust() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("on desk")
            try await house.type("release desk")
            try await house.until { $0["link"] == "idle" }
            try await house.type("color ff8800 desk")
            #expect(await house.bluez.recordedCalls("StartDiscovery").count == 1)
            #expect(await house.bluez.recordedCalls("Connect").count == 2)
            // The wish goes before the subscription on a strip whose objects were kept.
            let calls = await house.bluez.recordedCalls("Connect", "WriteValue", "StartNotify").map(\.member)
            #expect(calls.suffix(from: calls.lastIndex(of: "Connect") ?? 0).prefix(2) == ["Connect", "WriteValue"])
        }
    }

    @Test("users.md 28: strips that are not ours are never touched") func neighbours() async throws {
        try await House.with(strips: 4, adopted: ["desk"]) { house in
            try await house.type("color ff8800 all")
            try await house.type("scan --seconds 1")
            for index in 1..<4 { #expect(await house.bluez.log(of: index).isEmpty) }
        }
    }
}
