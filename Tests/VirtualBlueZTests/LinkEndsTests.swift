import DBus
import Testing

@testable import VirtualBlueZ

@Suite("The end of a link", .timeLimit(.minutes(1)))
struct LinkEndsTests {
    @Test func disconnectAnswersBetweenItsTwoSignals() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            let lines = try await rig.transcript(upTo: "{Connected: false}") { try await rig.onDevice("Disconnect") }
            #expect(lines == ["DEV {ServicesResolved: false}", "Disconnect: ok", "DEV {Connected: false}"])
            #expect(try await rig.managedPaths().contains(Rig.commands.text))
        }
    }

    @Test func disconnectWithoutALinkIsOk() async throws {
        try await withRig { rig in
            try await rig.discover()
            try await rig.onDevice("Disconnect")
        }
    }

    @Test func disconnectCancelsAConnectAndAnUntrustedObjectGoes() async throws {
        try await withRig(World(strips: 1, timing: .fast { $0.outOfRange = .seconds(30) })) { rig in
            try await rig.discover()
            await rig.bluez.setSilent(0, true)
            async let connected = error { try await rig.onDevice("Connect") }
            await rig.bluez.wait(forCalls: "Connect")
            let lines = try await rig.transcript(upTo: " Device1") { try await rig.onDevice("Disconnect") }
            #expect(
                lines == [
                    "Connect: org.bluez.Error.Failed: br-connection-canceled", "Disconnect: ok", "- DEV Device1",
                ])
            #expect(await connected == "org.bluez.Error.Failed: br-connection-canceled")
        }
    }

    @Test func connectDuringDisconnectIsOkAndTheLinkEndsAllTheSame() async throws {
        try await withRig(World(strips: 1, timing: .fast { $0.disconnect = .milliseconds(500) })) { rig in
            try await rig.discoverAndConnect()
            async let ended = rig.onDevice("Disconnect")
            await rig.bluez.wait(forCalls: "Disconnect")
            try await rig.onDevice("Connect")
            try await rig.write("cc 24 33")
            _ = try await ended
            #expect(await !rig.bluez.isLinked(0))
            #expect(await rig.bluez.frames(of: 0) == ["cc 24 33"])
        }
    }

    @Test("users.md 54: a link loss is one signal; objects stay and say Not connected")
    func loss() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            let lines = await rig.transcript(upTo: "Connected: false}") { await rig.bluez.drop(0) }
            #expect(lines == ["DEV {ServicesResolved: false, Connected: false}"])
            for member in ["ReadValue", "StartNotify"] {
                let error = await error {
                    try await rig.onReports(member, member == "ReadValue" ? [.options([:])] : [])
                }
                #expect(error == "org.bluez.Error.Failed: Not connected")
            }
            #expect(await error { try await rig.write("cc 23 33") } == "org.bluez.Error.Failed: Not connected")
        }
    }

    @Test func aRequestThatIsOpenFailsAfterTheSignal() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            await rig.bluez.delayWrites(0, by: .seconds(30))
            async let written = error { try await rig.write("cc 24 33") }
            await rig.bluez.wait(forCalls: "WriteValue")
            let lines = await rig.transcript(upTo: "0x0e") { await rig.bluez.powerCut(0) }
            #expect(
                lines == [
                    "DEV {ServicesResolved: false, Connected: false}",
                    "WriteValue: org.bluez.Error.Failed: Operation failed with ATT error: 0x0e",
                ])
            _ = await written
            #expect(await rig.bluez.frames(of: 0).isEmpty)
        }
    }

    @Test func aDeviceThatLostItsLinkVanishesUnlessItWasTrustedWhileConnected() async throws {
        let timing = VirtualTiming.fast { $0.vanish = .milliseconds(200) }
        for trusted in [false, true] {
            try await withRig(World(strips: 2, timing: timing)) { rig in
                try await rig.call("StartDiscovery")
                _ = await rig.bluez.transcript(upTo: "40_66 {RSSI: -57}")
                try await rig.connect()
                if trusted { try await rig.set("Trusted", .bool(true), on: Rig.device, .device) }
                await rig.bluez.setSilent(0, true)
                await rig.bluez.setSilent(1, true)
                await rig.bluez.drop(0)
                let gone = await rig.bluez.transcript(upTo: "- hci0/dev_FF_FF_38_5B_40_6\(trusted ? 6 : 5) Device1")
                #expect(gone.contains("- hci0/dev_FF_FF_38_5B_40_65 Device1") == !trusted)
            }
        }
    }

    @Test func trustBeforeTheFirstLinkDoesNotHelp() async throws {
        try await withRig { rig in
            try await rig.discover()
            let lines = try await rig.transcript(upTo: "{Trusted: true}") {
                try await rig.set("Trusted", .bool(true), on: Rig.device, .device)
            }
            #expect(lines == ["Set: ok", "DEV {Trusted: true}"])
            await rig.bluez.setSilent(0, true)
            _ = await error { try await rig.onDevice("Connect") }
            _ = await rig.bluez.transcript(upTo: "- hci0/dev_FF_FF_38_5B_40_65 Device1")
        }
    }

    @Test func aTrustedDeviceIsConnectedWithoutDiscovery() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            try await rig.set("Trusted", .bool(true), on: Rig.device, .device)
            await rig.bluez.setSilent(0, true)
            _ = await rig.transcript(upTo: "Connected: false}") { await rig.bluez.drop(0) }
            #expect(await error { try await rig.onDevice("Connect") }.hasSuffix("le-connection-abort-by-local"))
            await rig.bluez.setSilent(0, false)
            try await rig.connect()
            #expect(await rig.bluez.recordedCalls("StartDiscovery").count == 1)
        }
    }

    @Test func aRemovedDeviceGoesLeavesFirst() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            let lines = try await rig.transcript(upTo: " Device1") {
                try await rig.call("RemoveDevice", [.objectPath(Rig.device)])
            }
            #expect(
                lines == [
                    "DEV {ServicesResolved: false}", "RemoveDevice: ok", "DEV {Connected: false}",
                    "- DEV/service000c/char000d GattCharacteristic1", "- DEV/service000c GattService1",
                    "- DEV/service000f/char0010/desc0012 GattDescriptor1",
                    "- DEV/service000f/char0010 GattCharacteristic1", "- DEV/service000f GattService1",
                    "- DEV Device1",
                ])
            #expect(
                await error { try await rig.call("RemoveDevice", [.objectPath(Rig.device)]) }
                    == "org.bluez.Error.DoesNotExist: Does Not Exist")
        }
    }
}
