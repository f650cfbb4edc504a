import DBus
import Testing
import VirtualBlueZ

/// What becomes of a command when the link to the strip gives trouble.
@Suite struct LinkFaultTests {
    @Test("a link that drops while a command waits is made again, and the command goes through")
    func theLinkDrops() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.delayWrites(0, by: .seconds(30))
            let stripctl = try await house.begin("color ff8800 desk")
            await house.bluez.wait(forCalls: "WriteValue")
            await house.bluez.delayWrites(0, by: .zero)
            await house.bluez.drop(0)
            #expect(await stripctl.end() == .done)
            #expect(await house.bluez.state(of: 0).on)
            #expect(await house.bluez.shownColor(of: 0) == LightSwatch(red: 255, green: 136, blue: 0))
        }
    }

    @Test(
        "users.md 30, 31: a strip that refuses twice and then takes the link",
        arguments: [
            ConnectRefusal.noAnswer, .terminated,
        ])
    func refusals(refusal: ConnectRefusal) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            await house.bluez.refuseConnects(0, times: 2, as: refusal)
            #expect(try await house.type("color ff8800 desk") == .done)
            #expect(await house.bluez.recordedCalls("Connect").count == 3)
            #expect(await house.frames() == [Frames.on, Frames.orange])
        }
    }

    @Test(
        "users.md 31: errors of Connect that pass",
        arguments: [
            "Software caused connection abort", "Connection refused", "Input/output error",
            "le-connection-create-socket",
            "Host is down", "Operation already in progress",
        ])
    func connectErrors(message: String) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            await house.bluez.failNext(
                "Connect", with: BusError(name: "org.bluez.Error.Failed", message: message), times: 2)
            #expect(try await house.type("on desk") == .done)
            #expect(await house.frames() == [Frames.on])
        }
    }

    @Test("users.md 12: Connect on an object that is gone") func unknownObject() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            await house.bluez.failNext(
                "Connect",
                with: BusError(name: "org.freedesktop.DBus.Error.UnknownObject", message: "Method \"Connect\" ..."))
            #expect(try await house.type("on desk") == .done)
            #expect(await house.frames() == [Frames.on])
        }
    }

    @Test("users.md 36: Connect is never answered, and the object vanishes") func connectUnanswered() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            await house.bluez.leaveConnectsUnanswered(0, times: 1)
            #expect(try await house.type("color ff8800 desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.orange])
        }
    }

    @Test("users.md 36: a Connect that takes longer than the command may; the next one is not stuck behind it")
    func connectTakesTooLong() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.ignoreNext("Connect")
            let answer = try await house.type("on desk --timeout 3")
            #expect(answer.status == 5)
            await house.bluez.wait(forCalls: "Disconnect")
            #expect(try await house.type("off desk") == .done)
            #expect(await house.frames() == [Frames.off])
        }
    }

    @Test("a strip that comes within reach while its command waits") func comesIntoReach() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.setSilent(0, true)
            let stripctl = try await house.begin("color ff8800 desk")
            await house.bluez.wait(forCalls: "StartDiscovery")
            await house.bluez.setSilent(0, false)
            #expect(await stripctl.end() == .done)
            #expect(await house.frames() == [Frames.on, Frames.orange])
        }
    }

    @Test("a strip that loses power in mid-command, and gets it back") func powerCut() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("color ff8800 desk")
            await house.bluez.powerCut(0)
            let gone = try await house.type("off desk --timeout 1")
            #expect(gone.status == 5 || gone.status == 6, "\(gone)")
            await house.bluez.powerRestored(0)
            #expect(try await house.type("off desk") == .done)
            #expect(await house.frames().last == Frames.off)
        }
    }

    // MARK: Services

    @Test("users.md 47: objects that come after ServicesResolved") func lateObjects() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            await house.bluez.exportServicesLate(0, by: .milliseconds(300))
            #expect(try await house.type("color ff8800 desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.orange])
        }
    }

    @Test("users.md 50: an empty list of services is not remembered") func emptyOnce() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            await house.bluez.hideServices(0, times: 1)
            #expect(try await house.type("color ff8800 desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.orange])
        }
    }

    @Test("users.md 46, 50: services that were hidden long enough to fail come back without a restart")
    func emptyTwice() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            await house.bluez.hideServices(0, times: 2)
            #expect(try await house.type("on desk").status == 1)
            #expect(try await house.status()["cause"] == "no-services")
            #expect(try await house.type("on desk") == .done)
            #expect(await house.frames() == [Frames.on])
        }
    }

    @Test("what is no strip at all is not driven") func anotherDevice() async throws {
        try await House.withDesk {
            $0.layout = .other
        } _: { house in
            let answer = try await house.type("on desk")
            #expect(answer.status == 1)
            #expect(await house.bluez.recordedCalls("WriteValue").isEmpty)
        }
    }

    @Test("services whose objects have other paths the next time") func renumbered() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("on desk")
            await house.bluez.kill()
            await house.bluez.renumberServices(0, firstHandle: 0x0040)
            try await house.bluez.start()
            #expect(try await house.type("off desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.off])
        }
    }

    // MARK: Subscribing

    @Test(
        "users.md 60: StartNotify that fails once costs no command",
        arguments: ["InProgress", "Failed", "NotPermitted"])
    func startNotifyFails(error: String) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            await house.bluez.failNext(
                "StartNotify", with: BusError(name: "org.bluez.Error." + error, message: "In Progress"))
            #expect(try await house.type("color ff8800 desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.orange])
        }
    }

    @Test("users.md 59: nothing is ever acquired") func acquires() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            for _ in 0..<3 {
                try await house.type("on desk")
                try await house.type("release desk")
            }
            #expect(await house.bluez.recordedCalls.allSatisfy { !$0.member.hasPrefix("Acquire") })
        }
    }
}
