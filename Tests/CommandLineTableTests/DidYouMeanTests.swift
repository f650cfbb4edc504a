// What is suggested for a mistyped word.

import Testing

@testable import CommandLineTable

@Suite struct DidYouMeanTests {
    static let verbs = [
        "scan", "adopt", "list", "status", "on", "off", "toggle", "color", "white", "effect", "effects",
    ]

    @Test(arguments: [
        ("colr", "Did you mean color?"), ("colour", "Did you mean color?"), ("COLOR", "Did you mean color?"),
        ("of", "Did you mean off or on?"), ("effetc", "Did you mean effect or effects?"),
        ("stat", "Did you mean status?"),
        ("tgogle", "Did you mean toggle?"),
    ]) func aNearWordIsSuggested(_ word: String, _ suggestion: String) {
        #expect(didYouMean(word, among: Self.verbs) == suggestion)
    }

    @Test(arguments: ["", "xyzzy", "brrrr", String(repeating: "é", count: 1000)]) func aFarWordIsNot(_ word: String) {
        #expect(didYouMean(word, among: Self.verbs) == nil)
    }

    @Test(arguments: [("", "", 0), ("a", "", 1), ("ab", "ba", 1), ("kitten", "sitting", 3), ("same", "same", 0)])
    func distancesCountLettersAndSwaps(_ a: String, _ b: String, _ distance: Int) {
        #expect(editDistance(Array(a.utf8), Array(b.utf8)) == distance)
    }
}
