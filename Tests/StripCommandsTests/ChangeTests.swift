// The verbs that change the light: what is asked of the daemon, and what is said about it.

import Testing

@testable import StripCommands

@Suite struct ChangeTests {
    static let asked: [(line: String, request: String)] = [
        ("on", #"PATCH /v1/strips/default?wait=35 {"on":true}"#),
        ("off desk", #"PATCH /v1/strips/desk?wait=35 {"on":false}"#),
        ("on desk shelf", #"PATCH /v1/strips/desk,shelf?wait=35 {"on":true}"#),
        ("toggle all", "POST /v1/strips/all/toggle?wait=35"),
        ("color ff8800", #"PATCH /v1/strips/default?wait=35 {"color":"ff8800"}"#),
        ("color ff8800 desk shelf", #"PATCH /v1/strips/desk,shelf?wait=35 {"color":"ff8800"}"#),
        ("color ff8800 --no-wait", #"PATCH /v1/strips/default {"color":"ff8800"}"#),
        ("color ff8800 --dry-run", #"PATCH /v1/strips/default?dry_run=1 {"color":"ff8800"}"#),
        ("color ff8800 --timeout 5", #"PATCH /v1/strips/default?wait=20 {"color":"ff8800","deadline":5.0}"#),
        (
            "color ff8800 -b 50% --keep-power",
            #"PATCH /v1/strips/default?wait=35 {"color":"ff8800","brightness":50,"keep_power":true}"#
        ),
        ("white 60 --channel", #"PATCH /v1/strips/default?wait=35 {"white":60,"white_channel":true}"#),
        ("brightness -10 desk", #"PATCH /v1/strips/desk?wait=35 {"brightness":"-10"}"#),
        ("brightness 50%", #"PATCH /v1/strips/default?wait=35 {"brightness":50}"#),
        ("brightness 50", #"PATCH /v1/strips/default?wait=35 {"brightness":50}"#),
        ("toggle --timeout 5", "POST /v1/strips/default/toggle?wait=20&deadline=5"),
        ("brightness +10", #"PATCH /v1/strips/default?wait=35 {"brightness":"+10"}"#),
        ("effect red-breathing --speed 20", #"PATCH /v1/strips/default?wait=35 {"effect":"red-breathing","speed":20}"#),
        ("effect 0x25", #"PATCH /v1/strips/default?wait=35 {"effect":"seven-color-fade"}"#),
        ("effect none", #"PATCH /v1/strips/default?wait=35 {"effect":null}"#),
        ("speed 80", #"PATCH /v1/strips/default?wait=35 {"speed":80}"#),
        ("release desk", "POST /v1/strips/desk/release"),
        ("refresh", "POST /v1/strips/default/refresh?wait=20"),
        ("adopt FF_FF_38_5B_40_65", "PUT /v1/strips/ff:ff:38:5b:40:65 {}"),
        ("adopt ffff385b4065 desk", #"PUT /v1/strips/ff:ff:38:5b:40:65 {"alias":"desk"}"#),
        ("alias shelf desk", #"PUT /v1/strips/desk/alias {"alias":"shelf"}"#),
        ("default desk", "PUT /v1/strips/desk/default"),
        ("forget desk shelf", "DELETE /v1/strips/desk,shelf"),
    ]

    @Test("users.md 120: success is silent where nobody looks", arguments: asked)
    func theRightThingIsAsked(_ line: String, _ request: String) throws {
        let result = try Stage(answers: [written(strip("desk"))]).run(line)
        let out = line.contains("dry-run") ? result.out : ""
        #expect(result == Performance(code: .done, out: out, err: "", requests: [request]))
    }

    @Test(
        "users.md 75, 76, 90: a colour may be several words",
        arguments: [
            ("255 136 0", "ff8800", "default"), ("255 136 0 desk", "ff8800", "desk"),
            ("255,136,0 desk", "ff8800", "desk"),
            ("f80 desk", "ff8800", "desk"), ("kelvin 2700 desk", "ffae59", "desk"), ("2700K desk", "ffae59", "desk"),
            ("RGB(255,136,0)", "ff8800", "default"), ("#ff8800", "ff8800", "default"),
            ("darkorange", "ff8c00", "default"),
            ("100 desk 7", "110000", "desk,7"), ("-- ff8800 desk", "ff8800", "desk"),
        ]) func colorsOfSeveralWords(_ words: String, _ color: String, _ target: String) throws
    {
        let result = try Stage(answers: [written(strip("desk"))]).run("color \(words) --no-wait")
        #expect(result.requests == [] || result.code == .done)
        let line = words.hasPrefix("--") ? "color --no-wait \(words)" : "color \(words) --no-wait"
        let again = try Stage(answers: [written(strip("desk"))]).run(line)
        #expect(again.requests == [#"PATCH /v1/strips/\#(target) {"color":"\#(color)"}"#])
    }

    @Test(
        "users.md 77, 104: a bad value ends in exit 2 with the offending text, and nothing is asked",
        arguments: [
            ("color gg8800", "gg8800"), ("color ff88", "ff88"), ("color 256,0,0", "256,0,0"),
            ("color -1,0,0", "-1,0,0"),
            ("color 999 0 0", "999,0,0"), ("color 0K", "0K"), ("color 2700", "2700"), ("white 0", "0"),
            ("white 101", "101"),
            ("brightness 50.5", "50.5"), ("brightness x", "x"), ("speed 0", "0"), ("effect rainbwo", "rainbwo"),
            ("effect 36", "36"), ("effect 0x39", "0x39"), ("color red --brightness 0", "0"), ("adopt desk", "desk"),
            ("adopt ffff385b4065 all", "all"), ("alias Living_Room desk", "Living_Room"),
            ("color red --timeout 0", "0"),
            ("color red --timeout 1e3", "1e3"), ("scan --seconds 0", "0"),
        ]) func aBadValueIsQuoted(_ line: String, _ text: String) throws
    {
        let result = try Stage(answers: [written(strip("desk"))]).run(line)
        #expect(result.code == .usage)
        #expect(result.err.contains("\"\(text)\"") || result.err.contains("'\(text)'"), "\(result.err)")
        #expect(result.requests == [])
        #expect(result.out == "")
    }

    @Test("users.md 74: a colour that a shell took for a comment") func theHashHint() throws {
        let result = try Stage().run("color")
        #expect(result.code == .usage)
        #expect(
            result.err.contains(
                "If you typed '#ff8800': to a shell '#' begins a comment. Quote it, or leave out the '#'."))
    }

    @Test func aSpeedDoesNotGoWithoutAnEffect() throws {
        let result = try Stage(answers: [written(strip("desk"))]).run("effect none --speed 5")
        #expect(result.code == .usage)
        #expect(result.requests == [])
    }

    @Test(arguments: ["written", "superseded", "accepted"]) func aTerminalGetsALine(_ outcome: String) throws {
        let stage = Stage(answers: [written(strip("desk"), outcome)], isTerminal: true)
        let remark = outcome == "superseded" ? "  (a newer command took its place)" : ""
        let result = try stage.run("color ff8800 desk --no-wait")
        #expect(result.out == "desk  ff8800  100 %  on\(remark)\n")
        #expect(result.err == "")
        #expect(result.code == .done)
    }

    @Test func notesGoToTheTerminalsErrorsOnly() throws {
        let answer = written(
            strip("desk"), notes: #"["adopted Triones-FFFF385B4065; stripctl forget desk undoes it","a\u001b[2Jb"]"#)
        let seen = try Stage(answers: [answer], isTerminal: true).run("white 50")
        #expect(seen.err == "adopted Triones-FFFF385B4065; stripctl forget desk undoes it\na\u{FFFD}[2Jb\n")
        #expect(try Stage(answers: [answer]).run("white 50").err == "")
        #expect(try Stage(answers: [answer], isTerminal: true).run("white 50 --quiet").err == "")
    }

    @Test func jsonIsTheDaemonsAnswer() throws {
        let body = #"{"outcome":"written","strip":\#(strip("desk")),"notes":[],"new":1}"#
        let result = try Stage(answers: [ok(body)], isTerminal: true).run("on --json")
        #expect(
            result
                == Performance(
                    code: .done, out: body + "\n", err: "", requests: [#"PATCH /v1/strips/default?wait=35 {"on":true}"#]
                ))
    }

    @Test func aDryRunListsTheFrames() throws {
        let answer = ok(#"{"frames":["cc 23 33","56 ff 88 00 00 f0 aa"],"notes":[]}"#)
        let result = try Stage(answers: [answer]).run("color ff8800 -n")
        #expect(result.out == "cc 23 33\n56 ff 88 00 00 f0 aa\n")
    }

    @Test(arguments: ["forget desk", "toggle", "alias a b", "adopt ffff385b4065", "release", "scan", "default desk"])
    func nothingIsDoneWhereADryRunIsNotPossible(_ line: String) throws {
        let result = try Stage(answers: [written(strip("desk"))]).run("\(line) --dry-run")
        #expect(result.code == .usage)
        #expect(result.requests == [])
    }

    @Test func whatIsNotThroughInTimeIsNoSuccess() throws {
        let result = try Stage(answers: [written(strip("desk"), "accepted")]).run("on")
        #expect(result.code == .timedOut)
        #expect(result.err == "stripctl: desk: accepted, but not through yet; the daemon keeps at it\n")
    }

    static let list =
        #"{"results":[{"id":"ff:ff:38:5b:40:65","status":200,"outcome":"written","strip":\#(strip("desk")),"notes":[]},"#
        + #"{"id":"shelf","status":504,"outcome":"failed","cause":"out-of-range","detail":"it was not heard","notes":[]}]}"#

    @Test("users.md 121: one of several failed") func partialFailure() throws {
        let result = try Stage(answers: [ok(Self.list, status: 207)], isTerminal: true).run("on desk shelf")
        #expect(result.code == .failed)
        #expect(result.out == "desk  ff8800  100 %  on\n")
        #expect(result.err == "stripctl: shelf: it was not heard\n")
    }

    @Test func partialFailureAsJSON() throws {
        let result = try Stage(answers: [ok(Self.list, status: 207)]).run("on desk shelf --json --no-wait")
        #expect(result.code == .failed)
        #expect(result.out == Self.list + "\n")
    }

    @Test(arguments: [
        ("adopt ffff385b4065 desk", 201, "desk  ff:ff:38:5b:40:65  adopted"),
        ("alias desk shelf", 200, "desk  ff:ff:38:5b:40:65"),
        ("default desk", 200, "desk  is the default"), ("release desk", 200, "desk  link ready"),
    ]) func whatBecameOfAStripIsSaidOnATerminal(_ line: String, _ status: Int, _ said: String) throws {
        let result = try Stage(answers: [ok(strip("desk"), status: status)], isTerminal: true).run(line)
        #expect(result.out == said + "\n")
        #expect(result.code == .done)
    }

    @Test func aForgottenStripIsSaidOnATerminal() throws {
        #expect(
            try Stage(answers: ["HTTP/1.1 204 X\r\n\r\n"], isTerminal: true).run("forget desk").out
                == "desk  forgotten\n")
        #expect(try Stage().run("forget").code == .usage)
        #expect(try Stage(answers: [ok("{}")]).run(["on", ""]).code == .usage)
    }
}
