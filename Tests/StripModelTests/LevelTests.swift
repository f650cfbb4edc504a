import FoundationEssentials
import StripModel
import Testing

@Suite struct LevelTests {
    @Test(
        "users.md 118: a level with and without its sign is the same",
        arguments: [
            ("50", 50), ("50%", 50), ("1", 1), ("100", 100), ("100%", 100), (" 50 ", 50), ("007", 7),
        ])
    func absolute(text: String, value: Int) throws {
        #expect(try Level(parsing: text) == .absolute(Percent(clamping: value)))
    }

    @Test("A step has a sign", arguments: [("+10", 10), ("-10", -10), ("+10%", 10), ("-100", -100), ("+1", 1)])
    func relative(text: String, step: Int) throws {
        #expect(try Level(parsing: text) == .relative(step))
    }

    @Test(
        "What is no level is refused with its reason",
        arguments: [
            ("0", "is no level: 1 is the least, and off switches the light off"),
            ("0%", "is no level: 1 is the least, and off switches the light off"),
            ("101", "is more than 100"),
            ("+101", "is more than 100"),
            ("999999999", "is more than 100"),
            ("99999999999999999999", "is not a level"),
            ("+0", "is a step to nowhere"),
            ("50.5", "is not a whole number"),
            ("50.0", "is not a whole number"),
            ("", "is not a level"),
            ("%", "is not a level"),
            ("+", "is not a level"),
            ("-", "is not a level"),
            ("--10", "is not a level"),
            ("+-10", "is not a level"),
            ("50%%", "is not a level"),
            ("5e1", "is not a level"),
            ("0x32", "is not a level"),
            ("half", "is not a level"),
            ("\u{ff15}\u{ff10}", "is not a level"),
            ("50\0", "is not a level"),
        ])
    func refusal(text: String, problem: String) {
        let error = #expect(throws: InvalidValue.self) { try Level(parsing: text) }
        #expect(error?.problem == problem)
        #expect(error?.text == text)
        #expect(error?.accepted == "1 to 100 (50 or 50%), or a step such as +10 or -10")
    }

    @Test(
        "A step is taken from where the level is, and ends at 1 and at 100",
        arguments: [
            ("+10", 50, 60), ("-10", 50, 40), ("+10", 95, 100), ("-10", 5, 1), ("-100", 100, 1), ("30", 80, 30),
        ])
    func resolved(text: String, current: Int, result: Int) throws {
        #expect(try Level(parsing: text).resolved(against: Percent(clamping: current)).value == result)
    }

    @Test(
        "A level in JSON",
        arguments: [
            ("50", Level.absolute(Percent(clamping: 50))), ("\"50\"", .absolute(Percent(clamping: 50))),
            ("\"50%\"", .absolute(Percent(clamping: 50))), ("\"+10\"", .relative(10)), ("\"-10\"", .relative(-10)),
        ])
    func json(text: String, level: Level) throws {
        #expect(try JSONDecoder().decode(Level.self, from: Data(text.utf8)) == level)
        #expect(try JSONDecoder().decode(Level.self, from: JSONEncoder().encode(level)) == level)
    }

    @Test func aPercentIsFrom1To100() {
        #expect(Percent(0) == nil && Percent(101) == nil && Percent(-1) == nil)
        #expect(Percent(1)?.value == 1 && Percent(100) == .full)
    }

    @Test func aPercentAndItsByteAgreeThereAndBack() throws {
        let bytes = (1...100).map { Percent(clamping: $0).byte }
        #expect(bytes.first == 0x03 && bytes[49] == 0x80 && bytes.last == 0xff)
        for (index, byte) in bytes.enumerated() { #expect(Percent(byte: byte)?.value == index + 1) }
        #expect(Percent(byte: 0) == nil)
        #expect(Percent(byte: 1)?.value == 1)
        for byte in UInt8(1)...254 {
            #expect(try #require(Percent(byte: byte)) <= #require(Percent(byte: byte + 1)))
        }
    }
}
