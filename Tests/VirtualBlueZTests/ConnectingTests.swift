import DBus
import Testing

@testable import VirtualBlueZ

@Suite("Connecting", .timeLimit(.minutes(1)))
struct ConnectingTests {
    static let objects = [
        "+ DEV/service000c GattService1", "+ DEV/service000c/char000d GattCharacteristic1",
        "+ DEV/service000f GattService1", "+ DEV/service000f/char0010 GattCharacteristic1",
        "+ DEV/service000f/char0010/desc0012 GattDescriptor1",
    ]
    static let uuids =
        "[00001800-0000-1000-8000-00805f9b34fb, 00001801-0000-1000-8000-00805f9b34fb, "
        + "0000ffd0-0000-1000-8000-00805f9b34fb, 0000ffd5-0000-1000-8000-00805f9b34fb]"

    @Test func aFreshDeviceIsConnectedThenAnsweredThenResolved() async throws {
        try await withRig { rig in
            try await rig.discover()
            let lines = try await rig.transcript(upTo: "ServicesResolved: true}") { try await rig.onDevice("Connect") }
            #expect(
                lines == ["DEV {Connected: true}", "Connect: ok"] + Self.objects
                    + ["DEV {UUIDs: \(Self.uuids), ServicesResolved: true}"])
        }
    }

    @Test func keptObjectsDoNotAppearAgain() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            try await rig.onDevice("Disconnect")
            let lines = try await rig.transcript(upTo: "ServicesResolved: true}") { try await rig.onDevice("Connect") }
            #expect(lines == ["DEV {Connected: true}", "Connect: ok", "DEV {ServicesResolved: true}"])
        }
    }

    @Test func keptObjectsTakeACommandBeforeServicesAreResolved() async throws {
        try await withRig(World(strips: 1, timing: .fast { $0.resolveKept = .seconds(60) })) { rig in
            try await rig.discoverAndConnect()
            try await rig.onDevice("Disconnect")
            try await rig.onDevice("Connect")
            try await rig.write("cc 24 33", type: "command")
            #expect(await rig.bluez.frames(of: 0, atLeast: 1) == ["cc 24 33"])
            #expect(await !rig.bluez.transcript.contains { $0.hasSuffix("{ServicesResolved: true}") })
        }
    }

    @Test func theObjectsSayWhatTheStripHas() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            for (path, property, expected) in [
                (Rig.commands, "UUID", "0000ffd9-0000-1000-8000-00805f9b34fb"),
                (Rig.commands, "Flags", "[write-without-response, write]"), (Rig.commands, "MTU", "23"),
                (Rig.commands, "Service", Rig.device.text + "/service000c"), (Rig.commands, "Value", ""),
                (Rig.commands, "WriteAcquired", "false"), (Rig.reports, "Flags", "[read, notify]"),
                (Rig.reports, "UUID", "0000ffd4-0000-1000-8000-00805f9b34fb"), (Rig.reports, "Notifying", "false"),
            ] {
                #expect(try await rig.get(property, on: path, .characteristic)?.plain == expected, "\(property)")
            }
            let error = await error { _ = try await rig.get("Notifying", on: Rig.commands, .characteristic) }
            #expect(error.hasSuffix("No such property"))
        }
    }

    @Test func anFFEStripHasTheOtherUUIDs() async throws {
        try await withRig(oneStrip { ($0.layout, $0.writeFlags) = (.ffe, .requestOnly) }) { rig in
            try await rig.discoverAndConnect()
            #expect(
                try await rig.get("UUID", on: Rig.commands, .characteristic)?.plain
                    == "0000ffe9-0000-1000-8000-00805f9b34fb")
            let error = await error { _ = try await rig.get("WriteAcquired", on: Rig.commands, .characteristic) }
            #expect(error.hasSuffix("No such property"))
        }
    }

    @Test func connectingTwiceIsOkOnceLinkedAndFailedBefore() async throws {
        try await withRig(World(strips: 1, timing: .fast { $0.outOfRange = .seconds(30) })) { rig in
            try await rig.discover()
            await rig.bluez.setSilent(0, true)
            async let first = rig.onDevice("Connect")
            await rig.bluez.wait(forCalls: "Connect")
            #expect(
                await error { try await rig.onDevice("Connect") }
                    == "org.bluez.Error.Failed: Operation already in progress")
            await rig.bluez.setSilent(0, false)
            _ = try await first
            try await rig.onDevice("Connect")
        }
    }

    @Test("users.md 12: a strip out of range fails late, and its object goes")
    func outOfRange() async throws {
        try await withRig { rig in
            try await rig.discover()
            await rig.bluez.setSilent(0, true)
            let lines = await rig.transcript(upTo: "- hci0/dev_FF_FF_38_5B_40_65 Device1") {
                let error = await error { try await rig.onDevice("Connect") }
                #expect(error == "org.bluez.Error.Failed: le-connection-abort-by-local")
            }
            #expect(lines == ["Connect: org.bluez.Error.Failed: le-connection-abort-by-local", "- DEV Device1"])
            #expect(
                await error { try await rig.onDevice("Connect") }
                    == "org.freedesktop.DBus.Error.UnknownObject: Method \"Connect\" with signature \"\" on interface "
                    + "\"org.bluez.Device1\" doesn't exist\n")
        }
    }

    @Test(
        "users.md 30: a refused link is announced, fails and ends",
        arguments: [
            (ConnectRefusal.noAnswer, "le-connection-abort-by-local"), (.terminated, "br-connection-canceled"),
        ])
    func refused(_ refusal: ConnectRefusal, _ text: String) async throws {
        try await withRig { rig in
            try await rig.discover()
            await rig.bluez.refuseConnects(0, times: 2, as: refusal)
            for _ in 0..<2 {
                let lines = await rig.transcript(upTo: "{Connected: false}") {
                    _ = await error { try await rig.onDevice("Connect") }
                }
                #expect(
                    lines == [
                        "DEV {Connected: true}", "Connect: org.bluez.Error.Failed: \(text)", "DEV {Connected: false}",
                    ])
            }
            try await rig.connect()
        }
    }

    @Test func aConnectOverClassicBluetoothIsNeverAnswered() async throws {
        try await withRig(oneStrip { $0.quirks = [.brEDR] }) { rig in
            try await rig.discover()
            let call = Task { try await rig.onDevice("Connect") }
            let lines = await rig.bluez.transcript(upTo: "- hci0/dev_FF_FF_38_5B_40_65 Device1")
            #expect(!lines.contains { $0.hasPrefix("Connect:") })
            #expect(await rig.bluez.recordedCalls("Connect").map(\.outcome) == [.pending])
            call.cancel()
        }
    }

    @Test("users.md 45: ATT error 0 leaves a resolved device without services")
    func attError0() async throws {
        try await withRig(oneStrip { $0.quirks = [.attError0] }) { rig in
            try await rig.discoverAndConnect()
            #expect(try await rig.managedPaths().last == Rig.device.text)
            #expect(try await rig.get("ServicesResolved", on: Rig.device, .device)?.plain == "true")
        }
    }

    @Test("users.md 46: objects may come after ServicesResolved")
    func lateObjects() async throws {
        try await withRig { rig in
            await rig.bluez.exportServicesLate(0, by: .milliseconds(1))
            try await rig.discover()
            let lines = try await rig.transcript(upTo: "GattDescriptor1") { try await rig.onDevice("Connect") }
            #expect(lines.suffix(6) == ["DEV {UUIDs: \(Self.uuids), ServicesResolved: true}"] + Self.objects)
        }
    }

    @Test("users.md 48: a second link may show what the first did not")
    func emptyThenFull() async throws {
        try await withRig { rig in
            await rig.bluez.hideServices(0, times: 1)
            try await rig.discoverAndConnect()
            #expect(try await rig.managedPaths().last == Rig.device.text)
            try await rig.onDevice("Disconnect")
            try await rig.connect()
            #expect(try await rig.managedPaths().contains(Rig.commands.text))
        }
    }

    @Test func aStripThatAnswersNoDiscoveryIsResolvedEmptyAndDropped() async throws {
        try await withRig { rig in
            try await rig.discover()
            await rig.bluez.muteATT(0, true)
            let lines = try await rig.transcript(upTo: "Connected: false}") { try await rig.onDevice("Connect") }
            #expect(
                lines == [
                    "DEV {Connected: true}", "Connect: ok", "DEV {UUIDs: \(Self.uuids), ServicesResolved: true}",
                    "DEV {ServicesResolved: false, Connected: false}",
                ])
        }
    }

    @Test("users.md 34: during discovery Connect waits for the next scan")
    func duringDiscovery() async throws {
        let timing = VirtualTiming.fast { ($0.rssiPeriod, $0.outOfRange) = (.seconds(600), .seconds(60)) }
        try await withRig(World(strips: 1, timing: timing)) { rig in
            try await rig.call("StartDiscovery")
            _ = await rig.bluez.transcript(upTo: " Device1")
            async let connected = rig.onDevice("Connect")
            await rig.bluez.wait(forCalls: "Connect")
            #expect(await !rig.bluez.isLinked(0))
            try await rig.call("StopDiscovery")
            _ = try await connected
        }
    }

    @Test("users.md 38: an adapter holds so many links and no more")
    func tooManyLinks() async throws {
        var world = World(strips: 2, timing: .fast)
        world.adapters[0].maxLinks = 1
        try await withRig(world) { rig in
            try await rig.discover()
            try await rig.onDevice("Connect")
            let second = await rig.bluez.devicePath(of: 1)
            #expect(
                await error { try await rig.onDevice("Connect", second) }
                    == "org.bluez.Error.Failed: le-connection-unknown")
        }
    }

    @Test func theNameThatWasReadReplacesTheAdvertisedOne() async throws {
        try await withRig(oneStrip { $0.gapName = "Triones:B30200000459C" }) { rig in
            try await rig.discover()
            let lines = try await rig.transcript(upTo: "459C}") { try await rig.onDevice("Connect") }
            #expect(lines.last == "DEV {Name: Triones:B30200000459C, Alias: Triones:B30200000459C}")
        }
    }
}
