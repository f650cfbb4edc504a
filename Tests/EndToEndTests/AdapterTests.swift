import Testing
import VirtualBlueZ

/// Adapters that are off, missing, unplugged, or one of two.
@Suite struct AdapterTests {
    @Test("users.md 1, 3: an adapter that is switched on later is used without a restart") func offAtFirst()
        async throws
    {
        var adapter = AdapterDescription()
        adapter.powered = false
        let world = World(adapters: [adapter], strips: [StripDescription(index: 0)], timing: .fast)
        try await House.with(world, adopted: ["desk"]) { house in
            #expect(try await house.type("on desk").status == 8)
            let health = try await house.http("GET /v1/health").json
            #expect(health["status"] == "degraded")
            #expect(health["problems"][0].text.contains("adapter is off"))
            await house.bluez.setPowered(adapter: 0, true)
            #expect(try await house.type("on desk") == .done)
            #expect(await house.frames() == [Frames.on])
            #expect(try await house.http("GET /v1/health").json["status"] == "ok")
        }
    }

    @Test("a command that waits goes through when the adapter comes on in time") func onInTime() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("refresh desk")
            await house.bluez.setPowered(adapter: 0, false)
            try await house.until { $0["link"] == "unavailable" }
            let stripctl = try await house.begin("color ff8800 desk")
            try await house.until { $0["pending"] == true }
            await house.bluez.setPowered(adapter: 0, true)
            #expect(await stripctl.end() == .done)
            #expect(await house.lights() == [Frames.orange])
        }
    }

    @Test("users.md 5: no adapter at all; the daemon lives and says so") func none() async throws {
        let world = World(adapters: [], strips: [StripDescription(index: 0)], timing: .fast)
        try await House.with(world, adopted: ["desk"]) { house in
            let answer = try await house.type("on desk")
            #expect(answer.status == 8)
            #expect(answer.errors.contains("There is no Bluetooth adapter"))
            let reply = try await house.http("PATCH /v1/strips/desk?wait=10", #"{"on":true}"#)
            #expect(reply.status == 503)
            #expect(reply.json["cause"] == "no-adapter")
            let health = try await house.http("GET /v1/health").json
            #expect(health["status"] == "degraded")
            #expect(health["adapters"] == 0)
            #expect(try await house.http("GET /v1/adapters").json["adapters"] == [])
            #expect(try await house.type("scan").status == 8)
        }
    }

    @Test("users.md 5: an adapter that is unplugged, and plugged in under another number") func unplugged() async throws
    {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("color ff8800 desk")
            await house.bluez.unplug(adapter: 0)
            try await house.until { $0["cause"] == "no-adapter" }
            #expect(try await house.type("off desk").status == 8)
            await house.bluez.plug(adapter: 0, number: 1)
            #expect(try await house.type("off desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.orange, Frames.off])
            #expect(try await house.status()["adapter"] == "hci1")
        }
    }

    @Test("users.md 10: suspend and resume; nothing is written by itself, and the next command works") func suspend()
        async throws
    {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("color ff8800 desk")
            for _ in 0..<2 {
                await house.bluez.setPowered(adapter: 0, false)
                await house.bluez.unplug(adapter: 0)
                try await house.until { $0["link"] == "unavailable" }
                await house.bluez.plug(adapter: 0)
                try await house.until { $0["link"] != "unavailable" }
            }
            #expect(await house.frames() == [Frames.on, Frames.orange])
            #expect(try await house.type("off desk") == .done)
        }
    }

    @Test(
        "users.md 7, 8: a chosen adapter is the only one that is ever called",
        arguments: [
            "hci10", "00:1A:7D:DA:71:1D", "00-1a-7d-da-71-1d",
        ])
    func pinned(choice: String) async throws {
        let world = World(
            adapters: [AdapterDescription(number: 1), AdapterDescription(number: 10)],
            strips: [StripDescription(index: 0)], timing: .fast)
        try await House.with(world, arguments: ["--adapter", choice], adopted: ["desk"]) { house in
            #expect(try await house.type("color ff8800 desk") == .done)
            try await house.type("scan --seconds 1")
            try await house.type("release desk")
            await house.bluez.wait(for: 0) { $0 == .unlinked }
            let paths = Set(await house.bluez.recordedCalls.map(\.path)).filter { $0 != "/" }
            #expect(paths.allSatisfy { $0 == "/org/bluez/hci10" || $0.hasPrefix("/org/bluez/hci10/") }, "\(paths)")
            let adapters = try await house.http("GET /v1/adapters").json["adapters"].items
            #expect(adapters.map { $0["name"] } == ["hci1", "hci10"])
            #expect(adapters.map { $0["in_use"] } == [false, true])
        }
    }

    @Test("users.md 8: a chosen adapter that is not there is no adapter, whatever else is") func pinnedAndAbsent()
        async throws
    {
        try await House.with(strips: 1, arguments: ["--adapter", "hci3"], adopted: ["desk"]) { house async throws in
            #expect(try await house.type("on desk").status == 8)
            #expect(await house.bluez.recordedCalls("Connect", "StartDiscovery").isEmpty)
        }
    }

    @Test("a strip that only the second adapter hears") func theSecondHears() async throws {
        var strip = StripDescription(index: 0)
        strip.heardBy = [1]
        let world = World(
            adapters: [AdapterDescription(number: 0), AdapterDescription(number: 1)], strips: [strip], timing: .fast)
        try await House.with(world, adopted: ["desk"]) { house async throws in
            #expect(try await house.type("color ff8800 desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.orange])
            #expect(try await house.status()["adapter"] == "hci1")
        }
    }

    // MARK: Several strips on one adapter

    @Test("users.md 33: four strips at once") func fourAtOnce() async throws {
        try await House.with(strips: 4, adopted: ["a1", "a2", "a3", "a4"]) { house async throws in
            #expect(try await house.type("color ff8800 all") == .done)
            for index in 0..<4 { #expect(await house.frames(of: index) == [Frames.on, Frames.orange]) }
        }
    }

    @Test("users.md 38: more strips than the adapter can hold") func full() async throws {
        var adapter = AdapterDescription()
        adapter.maxLinks = 2
        let world = World(
            adapters: [adapter], strips: (0..<3).map { StripDescription(index: $0) }, timing: .fast)
        try await House.with(world, adopted: ["a1", "a2", "a3"]) { house in
            let answer = try await house.type("on all --timeout 2 --json")
            #expect(answer.status == 1)
            let outcomes = answer.json["results"].items.map { $0["outcome"].text }.sorted()
            #expect(outcomes == ["failed", "written", "written"])
            #expect(await house.bluez.recordedCalls("Connect").count < 40, "it does not hammer")
        }
    }
}
