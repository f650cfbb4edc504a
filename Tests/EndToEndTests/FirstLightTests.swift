import Testing
import VirtualBlueZ

/// `stripctl color ff8800` reaches a strip.
@Suite struct FirstLightTests {
    @Test func aColourSwitchesTheStripOnFirst() async throws {
        try await House.with(strips: 1) { house async throws in
            #expect(try await house.type("adopt ff:ff:38:5b:40:65 desk") == .done)
            #expect(try await house.type("color ff8800 desk") == .done)
            #expect(await house.bluez.frames(of: 0, atLeast: 3) == ["cc 23 33", "56 ff 88 00 00 f0 aa", "ef 01 77"])
        }
    }

    @Test func theFirstCommandAdoptsTheOnlyStripInRange() async throws {
        try await House.with(strips: 1) { house in
            let answer = try await house.type("color ff8800 --json")
            #expect(answer.status == 0)
            #expect(
                answer.json["notes"][0]
                    == "adopted ff:ff:38:5b:40:65 (\"Triones-FFFF385B4065\"), the only strip in range; stripctl forget ff:ff:38:5b:40:65 undoes it"
            )
            #expect(await house.frames() == ["cc 23 33", "56 ff 88 00 00 f0 aa"])
        }
    }

    @Test("a first command with several strips in range adopts none of them")
    func severalInRange() async throws {
        try await House.with(strips: 2) { house in
            let answer = try await house.type("on")
            #expect(answer.status == 3)
            #expect(answer.output == "")
            #expect(answer.errors.contains("several strips are in range and none was adopted"))
            #expect(
                answer.errors.contains(
                    "ff:ff:38:5b:40:65 (\"Triones-FFFF385B4065\", -52 dBm), ff:ff:38:5b:40:66 (\"Triones-FFFF385B4066\", -57 dBm)"
                ))
            #expect(answer.errors.contains("stripctl adopt ff:ff:38:5b:40:65"))
            #expect(try await house.type("list --json").json["strips"] == [])
            #expect(await house.bluez.recordedCalls("Connect").isEmpty)
        }
    }

    @Test("a first command does not take what may be something else")
    func noStripInRange() async throws {
        let lamp = StripDescription(address: "11:22:33:44:55:66", name: "Reading lamp")
        try await House.with(World(strips: [lamp], timing: .fast)) { house in
            let answer = try await house.type("on")
            #expect(answer.status == 3)
            #expect(answer.errors.contains("no strip was heard in 10 s"))
            #expect(answer.errors.contains("stripctl adopt 11:22:33:44:55:66  # Reading lamp"))
            #expect(await house.bluez.recordedCalls("Connect").isEmpty)
        }
    }

    @Test(
        "to name an address is to adopt it",
        arguments: [
            "ff:ff:38:5b:40:65", "FF:FF:38:5B:40:65", "ff-ff-38-5b-40-65", "FF_FF_38_5B_40_65", "ffff385b4065",
        ])
    func adoptionByAddress(spelling: String) async throws {
        try await House.with(strips: 1) { house async throws in
            #expect(try await house.type("color ff8800 \(spelling)") == .done)
            #expect(await house.frames() == ["cc 23 33", "56 ff 88 00 00 f0 aa"])
            #expect(try await house.type("list --json").json["strips"][0]["id"] == "ff:ff:38:5b:40:65")
        }
    }
}
