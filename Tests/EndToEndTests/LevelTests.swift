import Testing
import VirtualBlueZ

/// `stripctl brightness` and `white`.
@Suite struct LevelTests {
    @Test("users.md 80, 81: orange at 1 % and back is the same orange") func dimmingForgetsNothing() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("color ff8800 desk")
            for (level, frame, percent) in [
                ("1", "56 03 01 00 00 f0 aa", 1), ("+10", "56 1c 0f 00 00 f0 aa", 11),
                ("50%", "56 80 44 00 00 f0 aa", 50), ("-10", "56 66 36 00 00 f0 aa", 40),
                ("-100", "56 03 01 00 00 f0 aa", 1), ("+100", "56 ff 88 00 00 f0 aa", 100),
            ] {
                #expect(try await house.type("brightness \(level) desk") == .done, "\(level)")
                #expect(await house.lights().last == frame, "\(level)")
                let status = try await house.status()
                #expect(status["color"] == "ff8800")
                #expect(status["brightness"] == .number(Double(percent)))
            }
            #expect(await house.frames().filter { $0.hasPrefix("cc") } == [Frames.on], "dimming does not switch on")
        }
    }

    @Test(
        "users.md 80: 0 is refused with a hint to use off, and so is what is no percentage",
        arguments: [
            "0", "0%", "101", "1.5", "50.0", "half", "", "+", "1e1", "５０",
        ])
    func noLevel(text: String) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let answer = try await house.stripctl(["brightness", text, "desk"])
            #expect(answer.status == 2)
            #expect(answer.output == "")
            if text.hasPrefix("0") { #expect(answer.errors.contains("off"), "\(answer.errors)") }
            #expect(await house.bluez.recordedCalls("Connect").isEmpty)
        }
    }

    @Test func theBrightnessOfAStripThatWasNeverTold() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            #expect(try await house.type("brightness 50 desk") == .done)
            #expect(await house.lights() == ["56 80 00 00 00 f0 aa"], "it reported red")
            #expect(await house.bluez.frames(of: 0).first == Frames.query)
        }
    }

    @Test("users.md 84: brightness neither stops an effect nor is lost", arguments: [50, 1])
    func brightnessWhileAnEffectRuns(percent: Int) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("effect seven-color-fade desk")
            let answer = try await house.type("brightness \(percent) desk --json")
            #expect(answer.status == 0)
            #expect(
                answer.json["notes"] == [.string("effects cannot be dimmed: \(percent) % is kept for the next colour")])
            #expect(await house.lights() == ["bb 25 10 44"])
            #expect(try await house.status()["effect"] == "seven-color-fade")
            try await house.type("color 0000ff desk")
            #expect(await house.lights().last == (percent == 50 ? "56 00 00 80 00 f0 aa" : "56 00 00 03 00 f0 aa"))
        }
    }

    @Test("users.md 86: white is mixed where no white channel is known, and the answer says so")
    func whiteWithoutAChannel() async throws {
        try await House.withDesk {
            $0.model = 0x04
        } _: { house in
            let answer = try await house.type("white 60 desk --json")
            #expect(answer.status == 0)
            #expect(answer.json["outcome"] == "written")
            #expect(answer.json["notes"][0].text.hasPrefix("white is mixed from red, green and blue"))
            #expect(await house.frames() == [Frames.on, "56 99 99 99 00 f0 aa"])
            let status = try await house.status()
            #expect(status["white"] == 60)
            #expect(status["effect"] == nil)
        }
    }

    @Test func whiteOnAStripThatReportsAModelWithAWhiteChannel() async throws {
        for model: UInt8 in [0x14, 0x15] {
            try await House.withDesk {
                $0.model = model
            } _: { house in
                #expect(try await house.type("refresh desk") == .done)
                let answer = try await house.type("white 60 desk --json")
                #expect(answer.json["notes"] == [])
                #expect(await house.lights() == ["56 00 00 00 99 0f aa"])
                #expect(try await house.type("white 1 desk") == .done)
                #expect(await house.lights().last == "56 00 00 00 03 0f aa")
            }
        }
    }

    @Test func aWhiteChannelThatWasNamedOnceIsRemembered() async throws {
        try await House.withDesk {
            $0.model = 0x04
        } _: { house in
            #expect(try await house.type("white 60 --channel desk") == .done)
            #expect(try await house.type("white 30 desk") == .done)
            #expect(await house.lights() == ["56 00 00 00 99 0f aa", "56 00 00 00 4d 0f aa"])
            try await house.restartDaemon()
            #expect(try await house.type("white 100 desk") == .done)
            #expect(await house.lights().last == "56 00 00 00 ff 0f aa")
        }
    }

    @Test func brightnessAfterWhiteDimsTheWhite() async throws {
        try await House.withDesk {
            $0.model = 0x04
        } _: { house in
            try await house.type("white 60 desk")
            #expect(try await house.type("brightness 30 desk") == .done)
            #expect(await house.lights().last == "56 4d 4d 4d 00 f0 aa")
        }
    }
}
