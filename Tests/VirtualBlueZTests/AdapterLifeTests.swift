import DBus
import Testing

@testable import VirtualBlueZ

@Suite("Adapters and bluetoothd", .timeLimit(.minutes(1)))
struct AdapterLifeTests {
    @Test func theAdapterHasTheRecordedProperties() async throws {
        try await withRig { rig in
            let reply = try await rig.call(
                "GetAll", [.string("org.bluez.Adapter1")], on: Rig.adapter, .properties)
            guard case .dict(_, let pairs)? = reply.first else { return #expect(Bool(false)) }
            #expect(
                pairs.map(\.0.plain) == [
                    "Address", "AddressType", "Name", "Alias", "Class", "Powered", "Discoverable",
                    "DiscoverableTimeout", "Pairable", "PairableTimeout", "Discovering", "UUIDs", "Modalias", "Roles",
                ])
        }
    }

    @Test func theAdapterAppearsUnpoweredAndPowersUp() async throws {
        let timing = VirtualTiming.fast {
            ($0.adapterAppears, $0.adapterPowersUp) = (.milliseconds(5), .milliseconds(5))
        }
        try await withRig(World(strips: 0, timing: timing)) { rig in
            let lines = await rig.bluez.transcript(upTo: "}")
            #expect(
                lines == [
                    "+ /org/bluez AgentManager1 ProfileManager1 HealthManager1",
                    "+ hci0 Adapter1 GattManager1 Media1 LEAdvertisingManager1", "hci0 {Powered: true}",
                ])
        }
    }

    @Test("users.md 4: power off removes the unknown, unlinks the known, and forgets discovery")
    func powerOff() async throws {
        try await withRig(World(strips: 2, timing: .fast)) { rig in
            try await rig.discoverAndConnect()
            try await rig.call("StartDiscovery")
            let lines = try await rig.transcript(upTo: "Discovering: false}") {
                try await rig.set("Powered", .bool(false), on: Rig.adapter, .adapter)
            }
            #expect(
                lines.suffix(4) == [
                    "- hci0/dev_FF_FF_38_5B_40_66 Device1", "Set: ok",
                    "DEV {ServicesResolved: false, Connected: false}", "hci0 {Powered: false, Discovering: false}",
                ])
            #expect(try await rig.managedPaths().contains(Rig.device.text))
            for (member, arguments) in [("StartDiscovery", []), ("SetDiscoveryFilter", [DBusValue.options([:])])] {
                #expect(
                    await error { try await rig.call(member, arguments) }
                        == "org.bluez.Error.NotReady: Resource Not Ready")
            }
            try await rig.set("Powered", .bool(true), on: Rig.adapter, .adapter)
            #expect(
                await error { try await rig.call("StopDiscovery") }
                    == "org.bluez.Error.Failed: No discovery started")
        }
    }

    @Test func powerAsItIsIsOkWithoutASignal() async throws {
        try await withRig { rig in
            let lines = try await rig.transcript(upTo: "Set: ok") {
                try await rig.set("Powered", .bool(true), on: Rig.adapter, .adapter)
            }
            #expect(lines == ["Set: ok"])
        }
    }

    @Test func powerOnWhilePowerOffIsUnderWayIsBusyAndEndsOff() async throws {
        try await withRig(World(strips: 1, timing: .fast { $0.powerOff = .seconds(3) })) { rig in
            async let off: Void = rig.set("Powered", .bool(false), on: Rig.adapter, .adapter)
            await rig.bluez.wait(forCalls: "Set")
            #expect(
                await error { try await rig.set("Powered", .bool(true), on: Rig.adapter, .adapter) }
                    == "org.bluez.Error.Busy")
            try await off
            #expect(await !rig.bluez.isPowered(adapter: 0))
        }
    }

    @Test("users.md 5: an adapter is unplugged, and comes back under another number")
    func unplugged() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            let lines = await rig.transcript(upTo: "LEAdvertisingManager1") { await rig.bluez.unplug(adapter: 0) }
            #expect(
                lines == [
                    "DEV {ServicesResolved: false, Connected: false}",
                    "- DEV/service000c/char000d GattCharacteristic1", "- DEV/service000c GattService1",
                    "- DEV/service000f/char0010/desc0012 GattDescriptor1",
                    "- DEV/service000f/char0010 GattCharacteristic1", "- DEV/service000f GattService1",
                    "- DEV Device1", "hci0 {Powered: false, Discovering: false}",
                    "- hci0 Adapter1 GattManager1 Media1 LEAdvertisingManager1",
                ])
            #expect(try await rig.managedPaths() == ["/org/bluez"])
            #expect(await error { try await rig.call("StartDiscovery") }.contains("UnknownObject"))
            let back = await rig.transcript(upTo: " Device1") { await rig.bluez.plug(adapter: 0, number: 10) }
            #expect(
                back == [
                    "+ hci10 Adapter1 GattManager1 Media1 LEAdvertisingManager1",
                    "+ hci10/dev_FF_FF_38_5B_40_65 Device1",
                ])
        }
    }

    @Test("users.md 42: SIGTERM says everything, SIGKILL nothing; a linked device is known afterwards")
    func restarts() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            let mark = await rig.bluez.transcriptMark
            await rig.bluez.stop()
            let lines = await rig.bluez.transcript(from: mark, upTo: "LEAdvertisingManager1").map(rig.shortened)
            #expect(
                lines.prefix(4) == [
                    "hci0 {Powered: false, Discovering: false}", "DEV {ServicesResolved: false, Connected: false}",
                    "- /org/bluez AgentManager1 ProfileManager1 HealthManager1",
                    "- DEV/service000c/char000d GattCharacteristic1",
                ])
            #expect(try await rig.client.owner(of: "org.bluez") == nil)

            try await rig.bluez.start()
            #expect(try await rig.managedPaths() == ["/org/bluez", "/org/bluez/hci0", Rig.device.text])
            #expect(try await rig.get("Connected", on: Rig.device, .device)?.plain == "false")
            try await rig.connect()
            try await rig.set("Trusted", .bool(true), on: Rig.device, .device)

            let second = await rig.bluez.transcriptMark
            await rig.bluez.kill()
            #expect(await rig.bluez.transcriptMark == second)
            #expect(await !rig.bluez.isLinked(0))
            try await rig.bluez.start()
            #expect(try await rig.get("Trusted", on: Rig.device, .device)?.plain == "true")
            try await rig.connect()
        }
    }

    @Test("users.md 7: calls are recorded with the adapter that they were made on")
    func severalAdapters() async throws {
        var world = World(strips: 1, timing: .fast)
        world.adapters.append(AdapterDescription(number: 10))
        try await withRig(world) { rig in
            try await rig.call("StartDiscovery", on: "/org/bluez/hci10")
            _ = await rig.bluez.transcript(upTo: "+ hci10/dev_FF_FF_38_5B_40_65 Device1")
            try await rig.call("StopDiscovery", on: "/org/bluez/hci10")
            #expect(try await rig.managedPaths().filter { $0.contains("dev_") }.count == 1)
            #expect(
                await rig.bluez.recordedCalls("StartDiscovery", "StopDiscovery").map(\.description) == [
                    "StartDiscovery /org/bluez/hci10", "StopDiscovery /org/bluez/hci10",
                ])
        }
    }
}
