import DBus
import EventLoop
import Testing

@testable import VirtualBlueZ

@Suite("Notifying", .timeLimit(.minutes(1)))
struct NotifyingTests {
    static let red = "66 15 23 41 20 10 ff 00 00 00 06 99"

    @Test func startNotifyIsAnnouncedBeforeItsReply() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            let lines = try await rig.transcript(upTo: "StartNotify: ok") { try await rig.onReports("StartNotify") }
            #expect(lines == ["DEV/service000f/char0010 {Notifying: true}", "StartNotify: ok"])
            try await rig.onReports("StartNotify")
            let stop = try await rig.transcript(upTo: "StopNotify: ok") { try await rig.onReports("StopNotify") }
            #expect(stop == ["DEV/service000f/char0010 {Notifying: false}", "StopNotify: ok"])
            #expect(
                await error { try await rig.onReports("StopNotify") }
                    == "org.bluez.Error.Failed: No notify session started")
        }
    }

    @Test func anAnswerComesBeforeTheReplyToItsRequestAndEvenIfEqual() async throws {
        // As recorded: 34 ms to the strip, 48 ms back, 89 ms for the whole request.
        let timing = VirtualTiming.fast { $0.requestReply = .milliseconds(30) }
        try await withRig(World(strips: 1, timing: timing)) { rig in
            try await rig.discoverAndConnect()
            try await rig.onReports("StartNotify")
            for _ in 0..<2 {
                let lines = try await rig.transcript(upTo: "WriteValue: ok") { try await rig.write("ef 01 77") }
                #expect(lines == ["DEV/service000f/char0010 {Value: \(Self.red)}", "WriteValue: ok"])
            }
        }
    }

    @Test func theClientGetsTheBytes() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            let signals = try await rig.client.signals(
                matching: MatchRule(sender: "org.bluez", member: "PropertiesChanged", pathNamespace: Rig.reports))
            try await rig.onReports("StartNotify")
            await rig.bluez.notify(0, [0xCC, 0x23, 0x00, 0x00])
            for try await signal in signals {
                guard case .dict(_, let pairs) = signal.arguments[1], pairs.first?.0.plain == "Value" else { continue }
                #expect(pairs.first?.1.plain == "cc 23 00 00")
                break
            }
        }
    }

    @Test func withoutASubscriptionNothingIsSaid() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            try await rig.write("ef 01 77")
            await rig.bluez.wait(for: 0) { $0 == .notified((try? bytes(Self.red)) ?? [], .notSubscribed) }
            #expect(await !rig.bluez.transcript.contains { $0.contains("{Value:") })
        }
    }

    @Test func notificationsFlowAgainAfterAReconnect() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            try await rig.onReports("StartNotify")
            await rig.bluez.drop(0)
            _ = await rig.bluez.transcript(upTo: "Connected: false}")
            #expect(try await rig.get("Notifying", on: Rig.reports, .characteristic)?.plain == "true")
            try await rig.connect()
            let lines = try await rig.transcript(upTo: "\(Self.red)}") { try await rig.write("ef 01 77") }
            #expect(lines.contains("DEV/service000f/char0010 {Value: \(Self.red)}"))
        }
    }

    @Test func swallowedNotificationsAreCountedDown() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            try await rig.onReports("StartNotify")
            await rig.bluez.swallowNotifications(0, count: 1)
            await rig.bluez.notify(0, [1])
            let lines = await rig.transcript(upTo: "{Value: 02}") { await rig.bluez.notify(0, [2]) }
            #expect(lines == ["DEV/service000f/char0010 {Value: 02}"])
        }
    }

    @Test func aRemoteControlMayBeHeardOrNot() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            try await rig.onReports("StartNotify")
            await rig.bluez.remoteControl(0) { $0.red = 1 }
            let lines = await rig.transcript(upTo: "99}") {
                await rig.bluez.remoteControl(0, notifying: true) { $0.on = false }
            }
            #expect(lines == ["DEV/service000f/char0010 {Value: 66 15 24 41 20 10 01 00 00 00 06 99}"])
        }
    }

    @Test func aClientThatLeavesEndsItsSession() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            let other = try await Bus.open(rig.bus.address, on: rig.loop)
            try await rig.onReports("StartNotify", as: other)
            let lines = await rig.transcript(upTo: "{Notifying: false}") { await other.close() }
            #expect(lines == ["DEV/service000f/char0010 {Notifying: false}"])
            #expect(await rig.bluez.isLinked(0))
        }
    }
}
