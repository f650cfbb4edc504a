import Testing
import VirtualBlueZ

/// `stripctl effect`, `speed` and `effects`.
@Suite struct EffectTests {
    @Test("users.md 104: an effect by name, beginning and number") func names() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            for (text, frame) in [
                ("seven-color-fade", "bb 25 10 44"), ("'Seven Color Fade'", "bb 25 10 44"),
                ("SEVEN_COLOR_FADE", "bb 25 10 44"), ("sevencolorfade", "bb 25 10 44"),
                ("seven-colour-fade", "bb 25 10 44"), ("seven-color-f", "bb 25 10 44"), ("37", "bb 25 10 44"),
                ("0x25", "bb 25 10 44"), ("56", "bb 38 10 44"), ("0x38", "bb 38 10 44"),
                ("seven-color-jump", "bb 38 10 44"), ("97", "bb 61 10 44"), ("three-color-jump", "bb 63 10 44"),
                ("red-br", "bb 26 10 44"),
            ] {
                #expect(try await house.type("effect \(text) desk") == .done, "\(text)")
                #expect(await house.lights().last == frame, "\(text)")
            }
            let status = try await house.status()
            #expect(status["effect"] == "red-breathing")
            #expect(status["speed"] == 50)
            #expect(status["on"] == true)
        }
    }

    @Test(
        "users.md 104, 105: what is no effect is refused, with what may have been meant",
        arguments: [
            ("36", ""), ("0x24", ""), ("57", ""), ("0x39", ""), ("65", ""), ("0", ""), ("255", ""), ("256", ""),
            ("100", ""), ("-37", ""), ("seven-color-fde", "seven-color-fade"), ("seven", "seven-color-strobe"),
            ("disco", ""),
        ])
    func noEffect(text: String, suggestion: String) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let answer = try await house.stripctl(["effect", text, "desk"])
            #expect(answer.status == 2)
            #expect(answer.errors.contains(text) && answer.errors.contains(suggestion), "\(answer.errors)")
            #expect(await house.bluez.recordedCalls("Connect").isEmpty)
        }
    }

    @Test("users.md 101, 102: speed with an effect and alone; 100 is fastest and never 00") func speeds() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            #expect(try await house.type("effect 37 --speed 100 desk") == .done)
            #expect(await house.frames() == [Frames.on, "bb 25 01 44"])
            for (text, frame, percent) in [
                ("1", "bb 25 1f 44", 1), ("50%", "bb 25 10 44", 50), ("99", "bb 25 01 44", 99),
                ("-100", "bb 25 1f 44", 1), ("+100", "bb 25 01 44", 100),
            ] {
                #expect(try await house.type("speed \(text) desk") == .done, "\(text)")
                #expect(await house.lights().last == frame, "\(text)")
                #expect(try await house.status()["speed"] == .number(Double(percent)), "\(text)")
            }
        }
    }

    @Test("users.md 101: what is no speed", arguments: ["0", "101", "fast", "1.5"])
    func noSpeed(text: String) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            #expect(try await house.type("speed \(text) desk").status == 2)
            #expect(try await house.type("effect 37 --speed \(text) desk").status == 2)
            #expect(await house.bluez.recordedCalls("Connect").isEmpty)
        }
    }

    @Test("users.md 102: speed alone while no effect runs is a clear error") func speedOfAColour() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("color ff8800 desk")
            let answer = try await house.type("speed 50 desk")
            #expect(answer.status == 2)
            #expect(answer.errors.contains("changes nothing: no effect is running"), "\(answer.errors)")
            #expect(await house.lights() == [Frames.orange])
        }
    }

    @Test("users.md 102: speed on a strip that turns out to show a colour") func speedOfAStripThatWasNeverTold()
        async throws
    {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let answer = try await house.type("speed 50 desk")
            #expect(answer.status == 1)
            #expect(answer.errors.contains("changes nothing: no effect is running"), "\(answer.errors)")
            #expect(await house.frames() == [])
        }
    }

    @Test("users.md 102: speed on a strip that runs an effect, which nobody here has told it")
    func speedOfItsOwnEffect()
        async throws
    {
        try await House.withDesk {
            ($0.state.mode, $0.state.speed) = (0x25, 0x1F)
        } _: { house async throws in
            #expect(try await house.type("speed 100 desk") == .done)
            #expect(await house.frames() == ["bb 25 01 44"])
        }
    }

    @Test func noneGoesBackToTheColour() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("color ff8800 desk")
            try await house.type("effect red-strobe desk")
            #expect(try await house.type("effect none desk") == .done)
            #expect(await house.lights() == [Frames.orange, "bb 31 10 44", Frames.orange])
            #expect(try await house.status()["effect"] == nil)
        }
    }

    @Test("users.md 104: the list of effects, without a daemon") func list() async throws {
        try await House.with(World(strips: 0, timing: .fast), startsDaemon: false) { house in
            let table = try await house.type("effects")
            #expect(table.status == 0)
            #expect(table.output.split(separator: "\n").count == 24)
            #expect(table.output.contains("seven-color-fade    0x25  fades through seven colours\n"))
            let effects = try await house.type("effects --json").json["effects"]
            #expect(effects.items.count == 23)
            #expect(effects[22]["name"] == "three-color-jump" && effects[22]["code"] == 99)
        }
    }

    @Test(
        "users.md 104: an effect that the strip began by itself is shown, with a name or by its number",
        arguments: [
            (0x61, "three-color-fade"), (0x3A, "0x3a"),
        ] as [(UInt8, String)])
    func reportedEffects(code: UInt8, name: String) async throws {
        try await House.withDesk {
            ($0.state.mode, $0.state.speed) = (code, 0x1F)
        } _: { house in
            #expect(try await house.type("refresh desk") == .done)
            let status = try await house.status()
            #expect(status["effect"] == .string(name))
            #expect(status["speed"] == 1)
            #expect(status["certainty"]["light"]["is"] == "reported")
            #expect(await house.frames() == [])
        }
    }
}
