import Testing
import VirtualBlueZ

/// `stripctl color ff8800` reaches a strip, and everything else that one does with one.
@Suite struct FirstLightTests {
    @Test func aColourSwitchesTheStripOnFirst() async throws {
        try await House.with(strips: 1) { house in
            try await house.stripctl("adopt", "ff:ff:38:5b:40:65", "desk")
            let answer = try await house.stripctl("color", "ff8800", "desk")
            #expect(answer == ProgramResult(status: 0, output: "", errors: ""))
            #expect(await house.bluez.frames(of: 0, atLeast: 3) == ["cc 23 33", "56 ff 88 00 00 f0 aa", "ef 01 77"])
        }
    }

    @Test func theFirstCommandAdoptsTheOnlyStripInRange() async throws {
        try await House.with(strips: 1) { house in
            let answer = try await house.stripctl("color", "ff8800", "--json")
            #expect(answer.status == 0)
            #expect(answer.output.contains("adopted ff:ff:38:5b:40:65"))
            #expect(await house.bluez.frames(of: 0, atLeast: 2).prefix(2) == ["cc 23 33", "56 ff 88 00 00 f0 aa"])
        }
    }
}
