import DBus
import EventLoop
import Testing

@testable import VirtualBlueZ

@Suite("Discovery", .timeLimit(.minutes(1)))
struct DiscoveryTests {
    @Test func aNewDeviceAppearsWithTheRecordedPropertiesInTheRecordedOrder() async throws {
        try await withRig { rig in
            let added = try await rig.client.signals(
                matching: MatchRule(sender: "org.bluez", member: "InterfacesAdded"))
            try await rig.call("StartDiscovery")
            var iterator = added.makeAsyncIterator()
            let signal = try #require(await iterator.next())
            #expect(signal.path == "/")
            guard case .objectPath(Rig.device)? = signal.arguments.first,
                case .dict("{sa{sv}}", let interfaces)? = signal.arguments.last
            else { return #expect(Bool(false), "\(signal)") }
            #expect(
                interfaces.map { "\($0.0.plain)" } == [
                    "org.freedesktop.DBus.Introspectable", "org.bluez.Device1", "org.freedesktop.DBus.Properties",
                ])
            guard case .dict("{sv}", let properties) = interfaces[1].1 else { return }
            #expect(
                properties.map { "\($0.0.plain) \($0.1.plain)" } == [
                    "Address FF:FF:38:5B:40:65", "AddressType public", "Name Triones-FFFF385B4065",
                    "Alias Triones-FFFF385B4065", "Paired false", "Bonded false", "Trusted false", "Blocked false",
                    "LegacyPairing false", "RSSI -52", "Connected false", "UUIDs []", "Adapter /org/bluez/hci0",
                    "ServicesResolved false",
                ])
        }
    }

    @Test("users.md 22: a device without a name has its address as alias")
    func nameless() async throws {
        try await withRig(oneStrip { $0.name = nil }) { rig in
            try await rig.discover()
            #expect(try await rig.get("Alias", on: Rig.device, .device)?.plain == "FF-FF-38-5B-40-65")
            let error = await error { _ = try await rig.get("Name", on: Rig.device, .device) }
            #expect(error == "org.freedesktop.DBus.Error.InvalidArgs: No such property")
        }
    }

    @Test func aKnownDeviceIsHeardAgainInEachScan() async throws {
        try await withRig { rig in
            try await rig.call("StartDiscovery")
            let lines = await rig.bluez.transcript(upTo: "{RSSI: -52}").map(rig.shortened)
            #expect(lines.filter { $0.contains("DEV") } == ["+ DEV Device1", "DEV {RSSI: -52}"])
        }
    }

    @Test func discoveryIsAnnouncedAndEndsWithTheRSSI() async throws {
        try await withRig(World(strips: 1, timing: .fast { $0.rssiPeriod = .seconds(60) })) { rig in
            let start = try await rig.transcript(upTo: "+ hci0/dev_FF_FF_38_5B_40_65 Device1") {
                try await rig.call("StartDiscovery")
            }
            #expect(start == ["hci0 {Discovering: true}", "StartDiscovery: ok", "+ DEV Device1"])
            let stop = try await rig.transcript(upTo: "Discovering: false}") { try await rig.call("StopDiscovery") }
            #expect(stop == ["StopDiscovery: ok", "DEV {} invalidated [RSSI]", "hci0 {Discovering: false}"])
            let error = await error { _ = try await rig.get("RSSI", on: Rig.device, .device) }
            #expect(error == "org.freedesktop.DBus.Error.InvalidArgs: No such property")
        }
    }

    @Test("users.md 20, 21: starting twice and stopping what was not started are errors")
    func errors() async throws {
        try await withRig { rig in
            #expect(
                await error { try await rig.call("StopDiscovery") }
                    == "org.bluez.Error.Failed: No discovery started")
            try await rig.call("StartDiscovery")
            #expect(
                await error { try await rig.call("StartDiscovery") }
                    == "org.bluez.Error.InProgress: Operation already in progress")
        }
    }

    @Test("users.md 11: a device vanishes once it has not been heard for a while")
    func vanishes() async throws {
        let timing = VirtualTiming.fast { ($0.vanish, $0.rssiPeriod) = (.milliseconds(20), .seconds(60)) }
        try await withRig(World(strips: 1, timing: timing)) { rig in
            try await rig.call("StartDiscovery")
            let lines = await rig.bluez.transcript(upTo: "- hci0/dev_FF_FF_38_5B_40_65 Device1").map(rig.shortened)
            #expect(lines.last == "- DEV Device1")
            #expect(try await rig.managedPaths() == ["/org/bluez", "/org/bluez/hci0"])
        }
    }

    @Test func aSilentStripIsNotHeardUntilItAdvertisesAgain() async throws {
        try await withRig(World(strips: 2, timing: .fast { $0.rssiPeriod = .seconds(60) })) { rig in
            await rig.bluez.setSilent(0, true)
            try await rig.call("StartDiscovery")
            let first = await rig.bluez.transcript(upTo: " Device1")
            #expect(first.last == "+ hci0/dev_FF_FF_38_5B_40_66 Device1")
            let then = await rig.transcript(upTo: " Device1") { await rig.bluez.setSilent(0, false) }
            #expect(then == ["+ DEV Device1"])
        }
    }

    @Test(
        "users.md 17: a filter hides what does not match it",
        arguments: [
            (["UUIDs": .strings(["ffd5"])], 1),
            (["UUIDs": .strings(["0000ffd5-0000-1000-8000-00805f9b34fb"])], 1),
            (["Pattern": .string("QHM")], 2),
            (["Pattern": .string("FF:FF:38:5B:40:65")], 0),
            (["RSSI": .int16(-54)], 0),
        ] as [([String: DBusValue], Int)])
    func filter(_ filter: [String: DBusValue], _ heard: Int) async throws {
        var world = World(strips: 3, timing: .fast)
        world.strips[1].uuids = [0xFFD5]
        world.strips[2].name = "QHM-1234"
        try await withRig(world) { rig in
            try await rig.call("SetDiscoveryFilter", [.options(filter)])
            try await rig.call("StartDiscovery")
            _ = await rig.bluez.transcript(upTo: "{RSSI: \(-52 - heard * 5)}")
            let paths = try await rig.managedPaths().filter { $0.contains("dev_") }
            #expect(paths == [await rig.bluez.devicePath(of: heard).text])
        }
    }

    @Test func aMalformedFilterIsRefused() async throws {
        try await withRig { rig in
            let error = await error {
                try await rig.call("SetDiscoveryFilter", [.options(["Transport": .string("radio")])])
            }
            #expect(error == "org.bluez.Error.InvalidArguments: Invalid arguments in method call")
        }
    }

    @Test func aClientThatLeavesEndsItsDiscoveryAndNoLink() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            let other = try await Bus.open(rig.bus.address, on: rig.loop)
            try await rig.call("StartDiscovery", as: other)
            let lines = await rig.transcript(upTo: "Discovering: false}") { await other.close() }
            #expect(!lines.contains { $0.contains("Connected") })
            #expect(await rig.bluez.isLinked(0))
        }
    }

    @Test func discoveryGoesOnWhileAnotherClientWantsIt() async throws {
        try await withRig { rig in
            let other = try await Bus.open(rig.bus.address, on: rig.loop)
            try await rig.call("StartDiscovery", as: other)
            try await rig.call("StartDiscovery")
            try await rig.call("StopDiscovery")
            #expect(await rig.bluez.isDiscovering(adapter: 0))
            try await rig.call("StopDiscovery", as: other)
            #expect(await !rig.bluez.isDiscovering(adapter: 0))
            await other.close()
        }
    }

    @Test func ofSeveralClientsThatStartAtOnceOnlyTheLastIsAnswered() async throws {
        try await withRig(World(strips: 1, timing: .fast { $0.discoveryStarts = .seconds(3) })) { rig in
            let other = try await Bus.open(rig.bus.address, on: rig.loop)
            let first = Task { try await rig.call("StartDiscovery", as: other) }
            await rig.bluez.wait(forCalls: "StartDiscovery")
            try await rig.call("StartDiscovery")
            #expect(await rig.bluez.recordedCalls("StartDiscovery").map(\.outcome) == [.pending, .replied])
            first.cancel()
            await other.close()
        }
    }

    @Test func aConnectedStripIsNotHeardByAnotherAdapter() async throws {
        var world = World(strips: 1, timing: .fast)
        world.adapters.append(AdapterDescription(number: 1))
        try await withRig(world) { rig in
            try await rig.discoverAndConnect()
            try await rig.call("StartDiscovery", on: "/org/bluez/hci1")
            await rig.bluez.drop(0)
            let lines = await rig.bluez.transcript(upTo: "+ hci1/dev_FF_FF_38_5B_40_65 Device1")
            let drop = try #require(lines.firstIndex { $0.hasSuffix("Connected: false}") })
            #expect(drop < lines.count - 1)
        }
    }
}

extension DBusValue {
    /// As plain text, for comparing.
    var plain: String {
        switch self {
        case .variant(let value): value.plain
        case .string(let text): text
        case .bool(let value): "\(value)"
        case .int16(let value): "\(value)"
        case .uint16(let value): "\(value)"
        case .objectPath(let path): path.text
        case .bytes(let bytes): hex(bytes)
        case .array(_, let items): "[" + items.map(\.plain).joined(separator: ", ") + "]"
        default: signature
        }
    }
}
