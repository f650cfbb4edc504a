import DBus
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(1)))
struct OperationsTests {
    @Test func callsAreMadeAsBlueZDocumentsThem() async throws {
        try await Stage.present(showing: Object.linked) { stage in
            let client = stage.client
            try await client.connect(desk)
            try await client.setTrusted(true, desk)
            try await client.startNotifications(ffd4)
            try await client.write([0xCC, 0x23, 0x33], to: ffd9, type: .request)
            try await client.write([0xCC, 0x24, 0x33], to: ffd9, type: .command)
            try await client.disconnect(desk)
            try await client.remove(desk)
            let calls = await stage.fake.calls.map {
                "\($0.path.lastComponent) \($0.interface).\($0.member) \($0.arguments)"
            }
            let words = [
                ["dev_FF_FF_38_5B_40_65 org.bluez.Device1.Connect []"],
                ["dev_FF_FF_38_5B_40_65 org.freedesktop.DBus.Properties.Set", device1, "Trusted", "bool(true)"],
                ["char0010 org.bluez.GattCharacteristic1.StartNotify []"],
                ["char000d org.bluez.GattCharacteristic1.WriteValue", "[204, 35, 51]", "type", "request"],
                ["char000d org.bluez.GattCharacteristic1.WriteValue", "[204, 36, 51]", "type", "command"],
                ["dev_FF_FF_38_5B_40_65 org.bluez.Device1.Disconnect []"],
                ["hci0 org.bluez.Adapter1.RemoveDevice", "dev_FF_FF_38_5B_40_65"],
            ]
            #expect(calls.count == words.count)
            for (call, words) in zip(calls, words) {
                for word in words { #expect(call.contains(word)) }
            }
        }
    }

    @Test("users.md 59: nothing is acquired")
    func nothingAcquired() async throws {
        try await Stage.present(showing: Object.linked) { stage in
            for _ in 0..<100 {
                try await stage.client.connect(desk)
                try await stage.client.startNotifications(ffd4)
                try await stage.client.write([1], to: ffd9, type: .command)
                try await stage.client.disconnect(desk)
            }
            #expect(Set(await stage.fake.members()) == ["Connect", "StartNotify", "WriteValue", "Disconnect"])
        }
    }

    @Test("users.md 36: Connect outlives every time-out of ours")
    func noTimeout() async throws {
        let short = Duration.milliseconds(1)
        let timing = BlueZClient.Timing(attRequest: short, other: .seconds(20))
        try await Stage.present(showing: Object.linked, timing: timing) { stage in
            let answer = Gate()
            await stage.fake.answer("Connect") { _ in
                await answer.pass()
                return []
            }
            await stage.fake.answer("WriteValue") { _ in throw NoReply() }
            let connect = Task { await outcome { () throws(BlueZError) in try await stage.client.connect(desk) } }
            await stage.fake.called("Connect")
            for _ in 0..<3 {
                let write = await outcome { () throws(BlueZError) in
                    try await stage.client.write([1], to: ffd9, type: .request)
                }
                #expect(write == .timeout)
            }
            await answer.unlock()
            #expect(await connect.value == nil)
        }
    }

    @Test("users.md 36: a cancelled Connect ends at once and blocks nothing")
    func cancelled() async throws {
        try await Stage.present(showing: [.hci0, .device()]) { stage in
            await stage.fake.answer("Connect") { _ in throw NoReply() }
            let connect = Task { await outcome { () throws(BlueZError) in try await stage.client.connect(desk) } }
            await stage.fake.called("Connect")
            connect.cancel()
            #expect(await connect.value == .cancelled)
            try await stage.client.disconnect(desk)
            #expect(await stage.fake.members() == ["Connect", "Disconnect"])
            #expect(await stage.client.openCalls.isEmpty)
        }
    }

    @Test("users.md 11, 12: a Connect whose device is removed ends, and none is sent to a removed one")
    func vanished() async throws {
        try await Stage.present(showing: [.hci0, .device()]) { stage in
            await stage.fake.answer("Connect") { _ in throw NoReply() }
            let connect = Task { await outcome { () throws(BlueZError) in try await stage.client.connect(desk) } }
            await stage.fake.called("Connect")
            try await stage.fake.remove(desk, [device1])
            #expect(await connect.value == .vanished)
            #expect(await outcome { () throws(BlueZError) in try await stage.client.connect(desk) } == .vanished)
            #expect(await stage.fake.members() == ["Connect"])
        }
    }

    @Test("users.md 7, 8: what is asked of a device goes to the adapter that it is on")
    func rightAdapter() async throws {
        let twin: ObjectPath = "/org/bluez/hci10/dev_FF_FF_38_5B_40_65"
        let objects: [Object] = [
            .adapter("/org/bluez/hci1"), .adapter("/org/bluez/hci10"),
            .device("/org/bluez/hci1/dev_FF_FF_38_5B_40_65", on: "/org/bluez/hci1"),
            .device(twin, on: "/org/bluez/hci10"),
        ]
        try await Stage.present(showing: objects) { stage in
            try await stage.client.connect(twin)
            try await stage.client.remove(twin)
            #expect(await stage.fake.calls.map(\.path) == [twin, "/org/bluez/hci10"])
        }
    }

    @Test(
        "users.md 30, 52, 54, 56: what BlueZ says comes back as what it means",
        arguments: [
            ("InProgress", "In Progress", .inProgress), ("NotPermitted", "Write acquired", .notPermitted),
            ("Failed", "Not connected", .notConnected),
            ("Failed", "Operation failed with ATT error: 0x0e", .attError(0x0E)),
        ] as [(String, String, BlueZError.Kind)])
    func refused(name: String, text: String, kind: BlueZError.Kind) async throws {
        try await Stage.present(showing: Object.linked) { stage in
            await stage.fake.refuse("WriteValue", "org.bluez.Error." + name, text)
            await #expect(throws: BlueZError(kind: kind, name: "org.bluez.Error." + name, message: text)) {
                try await stage.client.write([1], to: ffd9, type: .request)
            }
        }
    }

    @Test func beingConnectedAlreadyIsSuccess() async throws {
        try await Stage.present(showing: Object.linked) { stage in
            await stage.fake.refuse("Connect", "org.bluez.Error.AlreadyConnected", "Already Connected")
            try await stage.client.connect(desk)
        }
    }

    @Test func theTreeIsNeverOlderThanAReply() async throws {
        try await Stage.present(showing: [.hci0, .device()]) { stage in
            await stage.fake.answer("Connect") { [fake = stage.fake] _ in
                try await fake.change(desk, device1, ["Connected": .bool(true)])
                return []
            }
            try await stage.client.connect(desk)
            #expect(await stage.client.device(at: desk)?.connected == true)
        }
    }
}
