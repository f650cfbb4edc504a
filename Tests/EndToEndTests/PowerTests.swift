import Testing
import VirtualBlueZ

/// `stripctl on`, `off` and `toggle`, and the order of power and light.
@Suite struct PowerTests {
    @Test("users.md 91: color, off, on: only power frames for the last two") func onKeepsTheColour() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            for verb in ["color ff8800", "off", "on"] { #expect(try await house.type("\(verb) desk") == .done) }
            #expect(await house.frames() == [Frames.on, Frames.orange, Frames.off, Frames.on])
        }
    }

    @Test("users.md 94: on is written although it is believed to be on") func onIsAlwaysWritten() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("on desk")
            await house.bluez.remoteControl(0) { $0.on = false }
            #expect(try await house.type("on desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.on])
            #expect(await house.bluez.state(of: 0).on)
        }
    }

    @Test(
        "users.md 93: from a known off the light comes first, then on, then the light again",
        arguments: [
            ("color ff8800", "56 ff 88 00 00 f0 aa"), ("white 60", "56 99 99 99 00 f0 aa"),
            ("effect 37", "bb 25 10 44"),
        ])
    func theOrderFromAKnownOff(verb: String, light: String) async throws {
        try await House.withDesk {
            $0.model = 0x04
        } _: { house in
            try await house.type("off desk")
            #expect(try await house.type("\(verb) desk") == .done)
            #expect(await house.frames() == [Frames.off, light, Frames.on, light])
        }
    }

    @Test("users.md 93: a strip that is deaf while off ends as it was told", arguments: [true, false])
    func deafWhileOff(isKnownOff: Bool) async throws {
        try await House.withDesk {
            $0.quirks = [.offDeaf]
            $0.state.on = false
        } _: { house async throws in
            if isKnownOff { #expect(try await house.type("off desk") == .done) }
            #expect(try await house.type("color ff8800 desk") == .done)
            let frames = await house.frames()
            #expect(
                await house.bluez.shownColor(of: 0) == LightSwatch(red: 0xFF, green: 0x88, blue: 0x00), "\(frames)")
            #expect(try await house.type("off desk") == .done)
            #expect(try await house.type("effect 37 desk") == .done)
            #expect(await house.bluez.state(of: 0).mode == 0x25)
            #expect(await house.bluez.state(of: 0).on)
        }
    }

    @Test func onAndALightInOneChange() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let reply = try await house.http("PATCH /v1/strips/desk?wait=10", #"{"on":true,"color":"ff8800"}"#)
            #expect(reply.json["outcome"] == "written")
            #expect(await house.frames() == [Frames.on, Frames.orange])
        }
    }

    @Test func offAndALightInOneChangeEndsOffWithTheNewLight() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let reply = try await house.http("PATCH /v1/strips/desk?wait=10", #"{"on":false,"color":"ff8800"}"#)
            #expect(reply.json["outcome"] == "written")
            #expect(await house.frames() == [Frames.orange, Frames.off])
        }
    }

    // MARK: Toggle

    @Test("a toggle of a strip that was never asked asks it first", arguments: [true, false])
    func toggleAsks(isOn: Bool) async throws {
        try await House.withDesk {
            $0.state.on = isOn
        } _: { house async throws in
            #expect(try await house.type("toggle desk") == .done)
            #expect(await house.bluez.frames(of: 0).prefix(2) == [Frames.query, isOn ? Frames.off : Frames.on])
            #expect(try await house.status()["on"] == .bool(!isOn))
        }
    }

    @Test("a toggle after someone used the remote control does what the eye expects") func toggleAfterARemote()
        async throws
    {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("on desk")
            try await house.until { $0["certainty"]["power"]["is"] == "reported" }
            await house.bluez.remoteControl(0, notifying: true) { $0.on = false }
            try await house.until { $0["on"] == false }
            #expect(try await house.type("toggle desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.on])
        }
    }

    @Test("a toggle of a strip that never answers switches it on, then off") func toggleInTheDark() async throws {
        try await House.withDesk {
            $0.quirks = [.statusMute]
        } _: { house async throws in
            #expect(try await house.type("toggle desk") == .done)
            #expect(await house.frames() == [Frames.on])
            #expect(try await house.type("toggle desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.off])
        }
    }

    @Test("users.md 100: a group with any strip on goes off, then on") func groupToggle() async throws {
        var strips = (0..<3).map { StripDescription(index: $0) }
        for index in 1...2 { strips[index].state.on = false }
        try await House.with(World(strips: strips, timing: .fast), adopted: ["a1", "a2", "a3"]) { house async throws in
            #expect(try await house.type("toggle all") == .done)
            for index in 0..<3 { #expect(await house.frames(of: index) == [Frames.off]) }
            #expect(try await house.type("toggle a1 a2 a3") == .done)
            for index in 0..<3 { #expect(await house.frames(of: index) == [Frames.off, Frames.on]) }
        }
    }

    @Test("users.md 100: a member that is out of reach does not decide, and makes it a failure")
    func groupToggleWithOneAway() async throws {
        try await House.with(strips: 2, adopted: ["near", "far"]) { house in
            await house.bluez.setSilent(1, true)
            let answer = try await house.type("toggle near far --timeout 2")
            #expect(answer.status == 1)
            #expect(answer.errors.contains("far: The strip was not heard"), "\(answer.errors)")
            #expect(!answer.errors.contains("near:"))
            #expect(await house.frames(of: 0) == [Frames.off])
        }
    }
}
