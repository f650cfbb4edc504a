import FoundationEssentials
import StripModel
import Testing

@Suite struct AliasTests {
    @Test(
        "users.md 25: a name of one's own",
        arguments: ["desk", "d", "shelf-2", "living_room", "0", "alls", "red", "x234567890123456789012345678901a"])
    func accepted(text: String) throws {
        #expect(try Alias(parsing: text).description == text)
        #expect(try JSONDecoder().decode(Alias.self, from: JSONEncoder().encode(Alias(parsing: text))).text == text)
    }

    @Test(
        "What could be taken for something else is refused",
        arguments: [
            ("", "is empty", []),
            ("Desk", "cannot be an alias", ["desk"]),
            ("living room", "cannot be an alias", ["living-room"]),
            ("-10", "cannot be an alias", []),
            ("--help", "cannot be an alias", []),
            ("a,b", "cannot be an alias", []),
            ("größe", "cannot be an alias", []),
            ("desk\n", "cannot be an alias", ["desk"]),
            ("x2345678901234567890123456789012x", "cannot be an alias", []),
            ("all", "cannot be an alias: it is a word of stripctl", ["my-all"]),
            ("default", "cannot be an alias: it is a word of stripctl", ["my-default"]),
            ("color", "cannot be an alias: it is a word of stripctl", ["my-color"]),
            ("ALL", "cannot be an alias", []),
            ("ffff385b4065", "cannot be an alias: it reads as an address", []),
            ("ff-ff-38-5b-40-65", "cannot be an alias: it reads as an address", []),
            ("ff_ff_38_5b_40_65", "cannot be an alias: it reads as an address", []),
            ("dev_ff_ff_38_5b_40_65", "cannot be an alias: it reads as an address", []),
        ])
    func refused(text: String, problem: String, suggested: [String]) {
        let error = #expect(throws: InvalidValue.self) { try Alias(parsing: text) }
        #expect(error?.problem == problem)
        #expect(error?.suggestions == suggested)
    }

    @Test func everyReservedWordIsRefused() {
        for word in Alias.reserved { #expect(throws: InvalidValue.self) { try Alias(parsing: word) } }
    }
}
