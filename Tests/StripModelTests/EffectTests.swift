import FoundationEssentials
import StripModel
import Testing
import Triones

@Suite struct EffectTests {
    @Test(
        "users.md 104: effects have names that stay",
        arguments: [
            ("seven-color-fade", 0x25), ("red-breathing", 0x26), ("green-breathing", 0x27), ("blue-breathing", 0x28),
            ("yellow-breathing", 0x29), ("cyan-breathing", 0x2a), ("purple-breathing", 0x2b), ("white-breathing", 0x2c),
            ("red-green-fade", 0x2d), ("red-blue-fade", 0x2e), ("green-blue-fade", 0x2f), ("seven-color-strobe", 0x30),
            ("red-strobe", 0x31), ("green-strobe", 0x32), ("blue-strobe", 0x33), ("yellow-strobe", 0x34),
            ("cyan-strobe", 0x35), ("purple-strobe", 0x36), ("white-strobe", 0x37), ("seven-color-jump", 0x38),
            ("three-color-fade", 0x61), ("three-color-strobe", 0x62), ("three-color-jump", 0x63),
        ] as [(String, UInt8)])
    func names(name: String, code: UInt8) throws {
        let effect = try Effect(parsing: name)
        #expect(effect.name == name)
        #expect(effect.code.rawValue == code)
        #expect(try Effect(parsing: String(code)) == effect)
        #expect(try Effect(parsing: "0x" + String(code, radix: 16)) == effect)
        #expect(Effect.name(ofCode: code) == name)
        #expect(Effect(effect.code) == effect)
        #expect(!effect.summary.isEmpty)
    }

    @Test func allAreAll() {
        #expect(Effect.all.map(\.code) == EffectCode.allCases)
        #expect(Set(Effect.all.map(\.name)).count == 23)
    }

    @Test(
        "users.md 104: case and separators do not matter, and the beginning of one name is enough",
        arguments: [
            ("Red Breathing", "red-breathing"), ("RED_BREATHING", "red-breathing"), ("redbreathing", "red-breathing"),
            (" red-breathing ", "red-breathing"), ("red-br", "red-breathing"), ("red-b", nil), ("rainbow", nil),
            ("red", nil),
            ("seven colour fade", "seven-color-fade"), ("seven-colour-j", "seven-color-jump"),
            ("white-s", "white-strobe"),
            ("", nil), ("-", nil), ("2a", nil),
        ] as [(String, String?)])
    func spelling(text: String, name: String?) {
        #expect((try? Effect(parsing: text))?.name == name)  // nil: refused
    }

    @Test(
        "users.md 105: only codes of effects pass",
        arguments: [
            "0x24", "0x39", "0x41", "0x60", "0x64", "0", "36", "57", "255", "256", "0x", "0x100", "0x+25", "0x2525",
            "37.0", "99999999999",
        ])
    func codes(text: String) {
        let error = #expect(throws: InvalidValue.self) { try Effect(parsing: text) }
        #expect(error?.problem == "is not the code of an effect")
    }

    @Test func anAmbiguousBeginningListsWhatItMayBe() {
        let error = #expect(throws: InvalidValue.self) { try Effect(parsing: "three") }
        #expect(error?.problem == "is the beginning of 3 effects")
        #expect(error?.suggestions == ["three-color-fade", "three-color-strobe", "three-color-jump"])
    }

    @Test func anUnknownNameGetsTheNearest() {
        let error = #expect(throws: InvalidValue.self) { try Effect(parsing: "red-strob3") }
        #expect(error?.suggestions.first == "red-strobe")
    }

    @Test(
        "users.md 104: a code without a name shows as it is",
        arguments: [(0x39, "0x39"), (0x05, "0x05"), (0xa1, "0xa1"), (0x61, "three-color-fade")] as [(UInt8, String)])
    func nameOfCode(code: UInt8, name: String) {
        #expect(Effect.name(ofCode: code) == name)
    }

    @Test func inJSONItIsItsName() throws {
        #expect(try JSONDecoder().decode(Effect.self, from: Data("\"Red Strobe\"".utf8)).name == "red-strobe")
        #expect(try JSONDecoder().decode(Effect.self, from: Data("37".utf8)).name == "seven-color-fade")
        #expect(String(decoding: try JSONEncoder().encode(Effect.all[0]), as: UTF8.self) == "\"seven-color-fade\"")
    }
}
