import StripModel
import Testing

@Suite struct SuggestionsTests {
    @Test(
        "What may have been meant",
        arguments: [
            ("colour", ["color", "off", "on"], ["color"]),
            ("statsu", ["status", "start"], ["status"]),
            ("togle", ["toggle", "off"], ["toggle"]),
            ("br", ["brightness", "off"], ["brightness"]),
            ("STATUS", ["status"], ["status"]),
            ("xyzzy", ["status", "off"], []),
            ("", ["on"], []),
            ("on", [], []),
            ("o", ["on", "off"], ["on"]),
            ("desk", ["disk", "desk2", "dusk", "deck", "lamp"], ["disk", "desk2", "dusk"]),
        ])
    func meant(text: String, candidates: [String], found: [String]) {
        #expect(suggestions(for: text, among: candidates) == found)
    }

    @Test func aFloodOfTextIsHandledInNoTime() {
        #expect(suggestions(for: String(repeating: "a", count: 1_000_000), among: ["on", "off"]).isEmpty)
    }
}
