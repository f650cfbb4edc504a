import DBus
import EventLoop
import Testing

@testable import VirtualBlueZ

@Suite("Faults", .timeLimit(.minutes(1)))
struct FaultsTests {
    @Test("users.md 32: a call fails as often as it was told to")
    func failNext() async throws {
        try await withRig { rig in
            try await rig.discover()
            await rig.bluez.failNext("Connect", with: .inProgress, times: 2)
            await rig.bluez.failNext("Connect", on: "/org/bluez/hci0/dev_00_00_00_00_00_00", with: .busy)
            for _ in 0..<2 {
                #expect(
                    await error { try await rig.onDevice("Connect") } == "org.bluez.Error.InProgress: In Progress")
            }
            try await rig.onDevice("Connect")
        }
    }

    @Test func ignoredCallsStayOpen() async throws {
        try await withRig { rig in
            await rig.bluez.ignoreNext("StartDiscovery")
            let call = Task { try await rig.call("StartDiscovery") }
            await rig.bluez.wait(forCalls: "StartDiscovery")
            try await rig.call("StartDiscovery")
            #expect(await rig.bluez.recordedCalls("StartDiscovery").map(\.outcome) == [.pending, .replied])
            call.cancel()
        }
    }

    @Test func delayedCallsBeginLate() async throws {
        try await withRig { rig in
            await rig.bluez.delayNext("StartDiscovery", by: .milliseconds(5))
            try await rig.call("StartDiscovery")
            let call = try #require(await rig.bluez.recordedCalls("StartDiscovery").first)
            #expect(try #require(call.answered) - call.time >= .milliseconds(5))
        }
    }

    @Test("users.md 71: access may be denied")
    func denied() async throws {
        try await withRig { rig in
            await rig.bluez.denyAccess(true)
            #expect(
                await error { _ = try await rig.managedPaths() }
                    .hasPrefix("org.freedesktop.DBus.Error.AccessDenied: "))
            await rig.bluez.denyAccess(false)
            let paths = try await rig.managedPaths()
            #expect(paths == ["/org/bluez", "/org/bluez/hci0"])
        }
    }

    @Test func aHungControllerStartsNoDiscoveryAndTakesNoFrame() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            await rig.bluez.hang(adapter: 0, true)
            #expect(
                await error { try await rig.call("StartDiscovery") }
                    == "org.bluez.Error.InProgress: Operation already in progress")
            try await rig.write("cc 24 33", type: "command")
            try await rig.onDevice("Disconnect")
            #expect(await rig.bluez.frames(of: 0).isEmpty)
        }
    }

    @Test func aStripWithoutPowerIsDarkAndComesBack() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            #expect(await rig.bluez.shownColor(of: 0) == LightSwatch(red: 255, green: 0, blue: 0))
            let lines = await rig.transcript(upTo: "Connected: false}") { await rig.bluez.powerCut(0) }
            #expect(lines.last == "DEV {ServicesResolved: false, Connected: false}")
            #expect(await rig.bluez.shownColor(of: 0) == .dark)
            #expect(await error { try await rig.onDevice("Connect") }.hasSuffix("le-connection-abort-by-local"))
            await rig.bluez.powerRestored(0)
            #expect(await rig.bluez.shownColor(of: 0) != .dark)
        }
    }

    @Test func servicesMayHaveOtherPathsNextTime() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            await rig.bluez.renumberServices(0, firstHandle: 0x2A)
            try await rig.call("RemoveDevice", [.objectPath(Rig.device)])
            try await rig.call("StartDiscovery")
            _ = await rig.bluez.transcript(from: rig.bluez.transcriptMark, upTo: "RSSI: -52}")
            try await rig.call("StopDiscovery")
            try await rig.connect()
            #expect(try await rig.managedPaths().contains(Rig.device.text + "/service002a/char002b"))
        }
    }

    @Test func theSimulationBeginsAndEndsAsOne() async throws {
        let loop = try EventLoop(name: "simulation")
        defer { loop.stop() }
        let simulation = try await Simulation.start(World(strips: 3, timing: .fast), on: loop)
        let client = try await Bus.open(simulation.address, on: loop)
        #expect(try await client.owner(of: "org.bluez") != nil)
        let signals = try await client.signals(
            matching: MatchRule(member: "NameOwnerChanged", firstArgument: "org.bluez"))
        await simulation.stop()
        let ends = await #expect(throws: BusError.self) { for try await _ in signals {} }
        #expect(ends?.isDisconnected == true)
        await client.close()
    }

    @Test func theStripsOfASimulationHaveTheirOwnNamesAndAddresses() {
        let strips = World(strips: 3).strips
        #expect(strips.map(\.address) == ["FF:FF:38:5B:40:65", "FF:FF:38:5B:40:66", "FF:FF:38:5B:40:67"])
        #expect(strips.map(\.name) == ["Triones-FFFF385B4065", "Triones-FFFF385B4066", "Triones-FFFF385B4067"])
    }
}
