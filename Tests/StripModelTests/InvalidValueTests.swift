import StripModel
import Testing

@Suite struct InvalidValueTests {
    @Test func itSaysEverythingOnOneLine() {
        let value = InvalidValue(
            text: "strobo", problem: "is not an effect", accepted: "a name",
            suggestions: ["red-strobe", "white-strobe"])
        #expect(
            value.description
                == #""strobo" is not an effect; accepted: a name; did you mean red-strobe or white-strobe?"#)
    }

    @Test func itNamesTheMember() {
        let value = InvalidValue(text: "0", problem: "is no level", accepted: "", member: "brightness")
        #expect(value.description == #"brightness: "0" is no level"#)
    }

    @Test(
        "Quoted text is safe on a terminal",
        arguments: [
            ("plain", #""plain""#),
            ("", #""""#),
            ("a\"b\\c", #""a\"b\\c""#),
            ("\0\n\r\t", #""\0\n\r\t""#),
            ("\u{1b}[31mred", #""\u{1b}[31mred""#),
            ("\u{7f}\u{9b}2J", #""\u{7f}\u{9b}2J""#),
            ("\u{202e}desrever", #""\u{202e}desrever""#),
            ("zero\u{200b}width", #""zero\u{200b}width""#),
            ("line\u{2028}line", #""line\u{2028}line""#),
            ("hard\u{a0}blank", #""hard\u{a0}blank""#),
            ("größer 灯", #""größer 灯""#),
        ])
    func quoting(text: String, line: String) {
        #expect(quoted(text) == line)
    }

    @Test func longTextIsCut() {
        #expect(quoted(String(repeating: "x", count: 81)) == "\"" + String(repeating: "x", count: 80) + "\"...")
        #expect(quoted(String(repeating: "x", count: 80)) == "\"" + String(repeating: "x", count: 80) + "\"")
    }
}
