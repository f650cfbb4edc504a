import Testing
import VirtualBlueZ

/// `stripctl adopt`, `alias`, `default`, `forget`, `release` and `refresh`.
@Suite struct NamesTests {
    @Test("users.md 25: a strip goes by its alias, its beginning, and after another alias by that") func aliases()
        async throws
    {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            for name in ["desk", "DESK", "de", "d", "ff:ff:38:5b:40:65", "all", "default"] {
                #expect(try await house.type("on \(name)") == .done, "\(name)")
            }
            #expect(try await house.type("alias shelf desk") == .done)
            #expect(try await house.type("on shelf") == .done)
            #expect(try await house.type("on desk").status == 3)
            #expect(await house.frames().count == 8)
        }
    }

    @Test(
        "names that are not there, or fit several, or are none at all",
        arguments: [
            ("on dusk", 3, "did you mean desk"), ("status nosuch", 3, "no strip is called \"nosuch\""),
            ("on d", 3, "desk and door"), ("adopt ff:ff:38:5b:40:65 all", 2, "\"all\""),
            ("adopt ff:ff:38:5b:40:65 on", 2, "\"on\""), ("alias 'My desk' desk", 2, "\"My desk\""),
            ("adopt ff:ff:38:5b:40", 2, "ff:ff:38:5b:40"), ("adopt desk", 2, "desk"),
            ("alias door desk", 1, "is the alias of ff:ff:38:5b:40:66 already"),
            ("adopt ff:ff:38:5b:40:65 door", 1, "is the alias of ff:ff:38:5b:40:66 already"),
            ("alias lamp nosuch", 3, "nosuch"), ("forget nosuch", 3, "nosuch"), ("default nosuch", 3, "nosuch"),
            ("on ''", 2, "empty"), ("adopt ff:ff:38:5b:40:65 'a\u{1B}b'", 2, "a\\u{1b}b"),
        ] as [(String, Int32, String)])
    func wrongNames(line: String, code: Int32, sentence: String) async throws {
        try await House.with(strips: 2, adopted: ["desk", "door"]) { house in
            let answer = try await house.type(line)
            #expect(answer.status == code)
            #expect(answer.output == "")
            #expect(answer.errors.contains(sentence), "\(answer.errors)")
            #expect(await house.bluez.recordedCalls("Connect").isEmpty)
            #expect(try await house.type("list --json").json["strips"].items.map { $0["alias"] } == ["desk", "door"])
        }
    }

    @Test func aDefaultStripIsMeantWhenNoneIsNamed() async throws {
        try await House.with(strips: 2, adopted: ["desk", "shelf"]) { house in
            let answer = try await house.type("on")
            #expect(answer.status == 3)
            #expect(answer.errors.contains("desk, shelf") && answer.errors.contains("stripctl default NAME"))
            #expect(try await house.type("default shelf") == .done)
            #expect(try await house.type("on") == .done)
            #expect(await house.frames(of: 1) == [Frames.on])
            #expect(await house.frames(of: 0) == [])
            #expect(try await house.type("default desk") == .done)
            #expect(try await house.type("on") == .done)
            #expect(await house.frames(of: 0) == [Frames.on])
        }
    }

    @Test func aStripThatWasForgottenIsLeftAlone() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("color ff8800 desk")
            #expect(try await house.type("forget desk") == .done)
            await house.bluez.wait(for: 0) { $0 == .unlinked }
            #expect(try await house.type("status desk").status == 3)
            #expect(try await house.type("list --json").json["strips"] == [])
            let trust = await house.bluez.recordedCalls("Set").map { String(describing: $0.arguments.last) }
            #expect(trust.first?.contains("true") == true && trust.last?.contains("false") == true, "\(trust)")
            try await house.stopDaemon()
            #expect(text(of: house.stateFile)?.contains("ff:ff:38:5b:40:65") == false)
            try await house.startDaemon()
        }
    }

    @Test("users.md 40: release gives the link back until the next command") func release() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("on desk")
            #expect(try await house.type("release desk") == .done)
            await house.bluez.wait(for: 0) { $0 == .unlinked }
            try await house.until { $0["link"] == "idle" }
            #expect(try await house.status()["available"] == true)
            #expect(await house.frames() == [Frames.on])
            #expect(try await house.type("off desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.off])
        }
    }

    @Test("users.md 39, 40: --keep-link gives it back by itself") func keepLink() async throws {
        try await House.with(strips: 1, arguments: ["--keep-link", "0"], adopted: ["desk"]) { house in
            try await house.type("on desk")
            await house.bluez.wait(for: 0) { $0 == .unlinked }
            #expect(await house.frames() == [Frames.on])
            #expect(try await house.type("off desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.off])
        }
    }

    @Test func refreshAsksTheStrip() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            #expect(try await house.type("refresh desk") == .done)
            let status = try await house.status()
            #expect(status["on"] == true)
            #expect(status["color"] == "ff0000")
            #expect(status["certainty"]["power"]["is"] == "reported")
            #expect(status["certainty"]["light"]["is"] == "reported")
            #expect(await house.bluez.frames(of: 0) == [Frames.query])
            await house.bluez.remoteControl(0) { ($0.on, $0.green) = (false, 0x10) }
            #expect(try await house.type("refresh desk") == .done)
            #expect(try await house.status()["on"] == false)
            #expect(try await house.status()["color"] == "ff1000")
        }
    }

    @Test func adoptingTwiceIsHarmless() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            #expect(try await house.type("adopt ff:ff:38:5b:40:65 desk") == .done)
            #expect(try await house.type("adopt ff:ff:38:5b:40:65") == .done)
            #expect(try await house.status()["alias"] == "desk")
            let answer = try await house.type("adopt FF-FF-38-5B-40-65 lamp --json")
            #expect(answer.json["alias"] == "lamp")
        }
    }
}
