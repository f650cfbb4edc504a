import StripModel
import Testing

@Suite struct ColorTests {
    @Test(
        "A refused colour says what is wrong with it",
        arguments: [
            ("ff88", "is not a colour: it has 4 hex digits, not 3 or 6", []),
            ("#ff880", "is not a colour: it has 5 hex digits, not 3 or 6", []),
            ("2700", "is not a colour", ["2700K"]),
            ("256,0,0", "has 256 where at most 255 is possible", []),
            ("-1,0,0", "has \"-1\" where a whole number from 0 to 255 belongs", []),
            ("1e2,0,0", "has \"1e2\" where a whole number from 0 to 255 belongs", []),
            ("255,136", "has 2 numbers, not three", []),
            ("rgb(1,2)", "does not have three numbers in rgb(...)", []),
            ("hsv(361,0,0)", "has 361 where at most 360 is possible", []),
            ("hsl(0,0,101)", "has 101 where at most 100 is possible", []),
            ("oragne", "is not a colour", ["orange"]),
            ("gg8800", "is not a colour", []),
        ])
    func refusal(text: String, problem: String, suggested: [String]) {
        let error = #expect(throws: InvalidValue.self) { try Color(parsing: text) }
        #expect(error?.problem == problem)
        #expect(error?.suggestions == suggested)
    }

    @Test(
        "users.md 90: a temperature out of range states the range",
        arguments: ["0K", "-5K", "1K", "999K", "40001k", "100000K", "kelvin 0"])
    func kelvinRange(text: String) {
        let error = #expect(throws: InvalidValue.self) { try Color(parsing: text) }
        #expect(error?.accepted == "1000K to 40000K")
    }

    @Test("users.md 90: warmer is never bluer, and a channel is always full")
    func kelvinIsMonotonic() throws {
        var coolest = try Color(parsing: "1000K")
        for kelvin in stride(from: 1000, through: 40000, by: 10) {
            let color = try Color(parsing: "\(kelvin)K")
            #expect(color.blue >= coolest.blue && color.red <= coolest.red, "\(kelvin)K")
            #expect(max(color.red, color.green, color.blue) >= 0xfa, "\(kelvin)K")
            coolest = color
        }
    }

    @Test("users.md 78: no name of CSS reads as hex, so hex hides none")
    func namesAreNotHex() throws {
        for word in ["bed", "add", "facade", "decade"] {
            #expect(try Color(parsing: word) == Color(parsing: "#" + word))
        }
    }

    @Test(
        "users.md 81: a lit channel stays lit and more is never darker",
        arguments: ["ff8800", "010203", "ff0001", "000000", "ffffff"])
    func scaling(text: String) throws {
        let color = try Color(parsing: text)
        var darker = Color(red: 0, green: 0, blue: 0)
        for level in 1...100 {
            let scaled = color.scaled(to: try #require(Percent(level)))
            #expect((scaled.red == 0) == (color.red == 0))
            #expect((scaled.green == 0) == (color.green == 0))
            #expect((scaled.blue == 0) == (color.blue == 0))
            #expect(scaled.red >= darker.red && scaled.green >= darker.green && scaled.blue >= darker.blue)
            darker = scaled
        }
        #expect(darker == color)
    }

    @Test func scalingIsToTheNearest() throws {
        let orange = try Color(parsing: "ff8800")
        #expect(orange.scaled(to: try #require(Percent(50))).description == "804400")
        #expect(orange.scaled(to: try #require(Percent(1))).description == "030100")
        #expect(orange.scaled(to: .full) == orange)
    }

    @Test func everyColourReadsItsOwnText() throws {
        for value in stride(from: 0, to: 0x100_0000, by: 4099) {
            let color = Color(red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
            #expect(try Color(parsing: color.description) == color)
            #expect(try Color(parsing: "\(color.red),\(color.green),\(color.blue)") == color)
        }
    }

    @Test func aFloodOfTextIsRefusedAndCut() {
        for flood in [
            String(repeating: "f", count: 100_000), String(repeating: "1,", count: 50_000),
            String(repeating: " a", count: 50_000),
        ] {
            let error = #expect(throws: InvalidValue.self) { try Color(parsing: flood) }
            #expect(error?.description.utf8.count ?? .max < 600)
        }
    }
}
