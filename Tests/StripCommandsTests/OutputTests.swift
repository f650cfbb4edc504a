// What people see: tables, lines, swatches, and names that cannot harm their terminal.

import StripModel
import Testing

@testable import StripCommands

@Suite struct OutputTests {
    static let four =
        #"{"strips":["#
        + [
            strip("desk", ["default": "true", "rssi": "-61"]),
            strip(
                "shelf", id: "ff:ff:38:5b:40:66",
                [
                    "on": "false", "color": "null", "white": "60", "link": "\"idle\"",
                    "certainty":
                        #"{"power":{"is":"assumed","at":"2026-12-01T02:00:00Z"},"light":{"is":"unknown","at":null}}"#,
                ]),
            strip(
                nil, id: "ff:ff:38:5b:40:67",
                [
                    "name": #""Tri\u001b]0;x\u0007\u202eones""#, "on": "null", "color": "null", "brightness": "null",
                    "available": "null", "link": "\"backing-off\"", "cause": "\"out-of-range\"", "adapter": "null",
                    "certainty": #"{"power":{"is":"unknown","at":null},"light":{"is":"unknown","at":null}}"#,
                ]),
            strip(
                "hall", id: "ff:ff:38:5b:40:68", ["effect": "\"red-breathing\"", "speed": "50", "available": "false"]),
        ].joined(separator: ",") + "]}"

    @Test("users.md 98: certainty and age are said as they are") func status() throws {
        let result = try Stage(answers: [ok(Self.four)]).run("status")
        #expect(result.requests == ["GET /v1/strips"])
        #expect(
            result.out == """
                NAME            POWER  LIGHT                  LEVEL  LINK                        CERTAINTY
                desk            on     ff8800                 100 %  ready                       reported 3 s ago
                shelf           off    white                  60 %   idle                        power assumed 3 min ago, light unknown
                Tri\u{FFFD}]0;x\u{FFFD}\u{FFFD}ones  ?      ?                      ?      backing-off (out-of-range)  unknown
                hall            on     red-breathing at 50 %         ready                       reported 3 s ago

                """)
    }

    @Test func list() throws {
        let result = try Stage(answers: [ok(Self.four)]).run("list")
        #expect(
            result.out == """
                  NAME   ADDRESS            MODEL NAME            IN REACH  SIGNAL   ADAPTER
                * desk   ff:ff:38:5b:40:65  Triones-FFFF385B4065  yes       -61 dBm  hci0
                  shelf  ff:ff:38:5b:40:66  Triones-FFFF385B4065  yes                hci0
                  -      ff:ff:38:5b:40:67  Tri\u{FFFD}]0;x\u{FFFD}\u{FFFD}ones        ?                  -
                  hall   ff:ff:38:5b:40:68  Triones-FFFF385B4065  no                 hci0

                """)
    }

    @Test("users.md 123: status as JSON is the daemon's") func statusAsJSON() throws {
        #expect(try Stage(answers: [ok(Self.four)]).run("status --json").out == Self.four + "\n")
        let one = try Stage(answers: [ok(strip("desk"))]).run("status desk -j")
        #expect(one.out == strip("desk") + "\n")
        #expect(one.requests == ["GET /v1/strips/desk"])
    }

    @Test func noStripsIsNoFailure() throws {
        let result = try Stage(answers: [ok(#"{"strips":[]}"#)], isTerminal: true).run("list")
        #expect(result.code == .done)
        #expect(result.out == "")
        #expect(result.err.hasPrefix("No strip is known yet."))
    }

    static let swatches: [(environment: [String: String], isTerminal: Bool, shows: Bool)] = [
        (["COLORTERM": "truecolor"], true, true), (["COLORTERM": "24bit", "TERM": "xterm"], true, true),
        (["COLORTERM": "truecolor"], false, false), ([:], true, false), (["COLORTERM": "yes"], true, false),
        (["COLORTERM": "truecolor", "NO_COLOR": "1"], true, false),
        (["COLORTERM": "truecolor", "NO_COLOR": ""], true, true),
        (["COLORTERM": "truecolor", "TERM": "dumb"], true, false),
    ]

    @Test(arguments: swatches) func swatchesNeedATruecolorTerminal(
        _ environment: [String: String], _ isTerminal: Bool, _ shows: Bool
    ) throws {
        let answer = ok(#"{"strips":[\#(strip("desk"))]}"#)
        let out = try Stage(answers: [answer], isTerminal: isTerminal, environment: environment).run("status").out
        #expect(out.contains("\u{1B}[48;2;255;136;0m  \u{1B}[0m ff8800  100 %") == shows)
        #expect(out.contains("\u{1B}") == shows)
    }

    @Test(
        "names from the air cannot harm a terminal",
        arguments: [
            ("Triones", "Triones"), ("a\u{1B}[31m\n\r\tb", "a\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{FFFD}b"),
            ("\u{202E}gnp\u{200F}\u{2066}", "\u{FFFD}gnp\u{FFFD}\u{FFFD}"), ("\u{9B}31m", "\u{FFFD}31m"),
            ("Küche 灯 💡", "Küche 灯 💡"),
            ("e\u{301}\u{301}\u{301}\u{301}", "e\u{301}\u{301}"),
            (String(repeating: "x", count: 50), String(repeating: "x", count: 32) + "…"),
            ("\u{2028}\u{E000}\u{FEFF}\0", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ]) func safeNames(_ name: String, _ shown: String)
    {
        #expect(safeName(name) == shown)
    }

    @Test(arguments: [
        (-5.0, "just now"), (0.5, "just now"), (3, "3 s ago"), (89, "89 s ago"), (90, "1 min ago"),
        (3600, "60 min ago"),
        (5400, "1 h ago"), (129_600, "1 d ago"), (1e30, "long ago"), (.infinity, "long ago"), (.nan, "long ago"),
    ]) func agesAreRound(_ seconds: Double, _ text: String) {
        #expect(age(seconds: seconds) == text)
    }

    @Test func nobodyReadingIsSuccess() throws {
        #expect(try Stage(answers: [ok(Self.four)], linesUntilClosed: 0).run("status").code == .done)
    }

    @Test func effectsNeedNoDaemon() throws {
        let result = try Stage().run("effects")
        #expect(
            result.out.hasPrefix(
                "NAME                CODE  SHOWS\nseven-color-fade    0x25  fades through seven colours\n"))
        #expect(result.out.split(separator: "\n").count == 24)
        #expect(try Stage().run("effects --json").out.hasPrefix(#"{"effects":[{"code":37,"description":""#))
    }

    @Test func aScanIsATable() throws {
        let found = """
            {"found":[{"address":"ff:ff:38:5b:40:65","name":"Triones-X","rssi":-50,"adapter":"hci0","verdict":"strip",\
            "known":true,"alias":"desk"},{"address":"ff:ff:38:5b:40:66","name":"QHM-1","rssi":-70,"adapter":"hci0",\
            "verdict":"strip","known":false,"alias":null},{"address":"ff:ff:38:5b:40:67","name":"ELK-BLEDOM","rssi":null,\
            "adapter":"hci0","verdict":"other","known":false,"alias":null}]}
            """
        let result = try Stage(answers: [ok(found)], isTerminal: true).run("scan --seconds 3")
        #expect(result.requests == [#"POST /v1/scan {"seconds":3}"#])
        #expect(
            result.out == """
                ADDRESS            NAME       SIGNAL   VERDICT  ADOPTED
                ff:ff:38:5b:40:65  Triones-X  -50 dBm  strip    yes, desk
                ff:ff:38:5b:40:66  QHM-1      -70 dBm  strip    no

                """)
        #expect(result.err == "Take one in, under a name of your choice: stripctl adopt ff:ff:38:5b:40:66 desk\n")
        #expect(try Stage(answers: [ok(found)]).run("scan --all").out.contains("ELK-BLEDOM"))
        #expect(try Stage(answers: [ok(found)]).run("scan --json").out == found + "\n")
    }
}
