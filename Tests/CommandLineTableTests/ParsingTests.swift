// The rules by which words become values, one case a line.

import Testing

@testable import CommandLineTable

private let brightness = Option("brightness", short: "b", value: "PCT", kind: .number, meaning: "Brightness")
private let socket = Option("socket", value: "PATH", kind: .path, meaning: "Socket")
private let json = Option("json", short: "j", meaning: "JSON")
private let quiet = Option("quiet", short: "q", meaning: "Quiet")
private let color = Argument("COLOR", kind: .color, meaning: "A colour", hint: "The '#' begins a comment in a shell.")
private let level = Argument("LEVEL", kind: .number, meaning: "A level")
private let name = Argument("NAME", .optional, meaning: "A name")
private let address = Argument("ADDRESS", meaning: "An address")
private let targets = Argument("TARGET", .any, kind: .target, meaning: "Strips")

let sample = Program(
    "lamp", summary: "a lamp",
    verbs: [
        Verb("on", summary: "Switch on", arguments: [targets]),
        Verb("color", summary: "Set a colour", arguments: [color, targets], options: [brightness]),
        Verb("brightness", summary: "Dim", arguments: [level, targets]),
        Verb("adopt", summary: "Take in", arguments: [address, name]),
    ],
    options: [socket, json, quiet, .help, .version], examples: [Example("lamp on", "Light.")])

private let plain = Program("lampd", summary: "a lamp's daemon", options: [socket, .help])

@Suite struct ParsingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let line: String
        let verb: String
        let arguments: [String: [String]]
        var options: [String: [String]] = [:]
        var testDescription: String { line }
    }

    static let cases = [
        Case(line: "on", verb: "on", arguments: ["TARGET": []]),
        Case(line: "on desk shelf", verb: "on", arguments: ["TARGET": ["desk", "shelf"]]),
        Case(line: "color ff8800", verb: "color", arguments: ["COLOR": ["ff8800"], "TARGET": []]),
        Case(line: "color ff8800 desk", verb: "color", arguments: ["COLOR": ["ff8800"], "TARGET": ["desk"]]),
        Case(
            line: "--json color ff8800 --brightness 50 desk", verb: "color",
            arguments: ["COLOR": ["ff8800"], "TARGET": ["desk"]], options: ["json": [""], "brightness": ["50"]]),
        Case(
            line: "color --brightness=50% ff8800", verb: "color", arguments: ["COLOR": ["ff8800"], "TARGET": []],
            options: ["brightness": ["50%"]]),
        Case(
            line: "color -b 50 ff8800 -jq", verb: "color", arguments: ["COLOR": ["ff8800"], "TARGET": []],
            options: ["brightness": ["50"], "json": [""], "quiet": [""]]),
        Case(
            line: "color -b50 ff8800", verb: "color", arguments: ["COLOR": ["ff8800"], "TARGET": []],
            options: ["brightness": ["50"]]),
        Case(line: "brightness -10 desk", verb: "brightness", arguments: ["LEVEL": ["-10"], "TARGET": ["desk"]]),
        Case(
            line: "brightness -q -10", verb: "brightness", arguments: ["LEVEL": ["-10"], "TARGET": []],
            options: ["quiet": [""]]),
        Case(line: "brightness +10", verb: "brightness", arguments: ["LEVEL": ["+10"], "TARGET": []]),
        Case(line: "color -1,0,0", verb: "color", arguments: ["COLOR": ["-1,0,0"], "TARGET": []]),
        Case(line: "on -- -x --json", verb: "on", arguments: ["TARGET": ["-x", "--json"]]),
        Case(line: "on -", verb: "on", arguments: ["TARGET": ["-"]]),
        Case(
            line: "--socket=/run/a=b on", verb: "on", arguments: ["TARGET": []], options: ["socket": ["/run/a=b"]]),
        Case(
            line: "on --socket= --socket -x", verb: "on", arguments: ["TARGET": []], options: ["socket": ["", "-x"]]),
        Case(line: "adopt aa", verb: "adopt", arguments: ["ADDRESS": ["aa"]]),
        Case(line: "adopt aa desk", verb: "adopt", arguments: ["ADDRESS": ["aa"], "NAME": ["desk"]]),
    ]

    @Test(arguments: cases) func theWordsAreSortedByTheTable(_ example: Case) throws {
        let parsed = try sample.parse(example.line.split(separator: " ").map(String.init))
        #expect(parsed.verb?.name == example.verb)
        #expect(parsed.arguments == example.arguments)
        #expect(parsed.options == example.options)
    }

    static let mistakes: [(line: String, message: String, hint: String?)] = [
        ("colr ff8800", "'colr' is not something that lamp does", "Did you mean color?"),
        ("xyzzy", "'xyzzy' is not something that lamp does", nil),
        ("color ff8800 --brigthness 5", "lamp color has no option '--brigthness'", "Did you mean --brightness?"),
        ("on --brightness 5", "lamp on has no option '--brightness'", "It belongs to color, after the verb."),
        ("on -10", "lamp on has no option '-10'", nil),
        ("on -x", "lamp on has no option '-x'", nil),
        ("color ff8800 --brightness", "--brightness wants a value: --brightness PCT", nil),
        ("color ff8800 --brightness --json", "--brightness wants a value: --brightness PCT", nil),
        ("on --json=yes", "--json takes no value, not 'yes'", nil),
        ("color", "lamp color wants COLOR: a colour", "The '#' begins a comment in a shell."),
        ("adopt aa desk shelf", "lamp adopt does not take 'shelf'", nil),
        ("", "what should lamp do?", "For example: lamp on"),
        ("--json", "what should lamp do?", "For example: lamp on"),
    ]

    @Test(arguments: mistakes) func aMistakeIsNamed(_ line: String, _ message: String, _ hint: String?) {
        let error = #expect(throws: UsageError.self) {
            try sample.parse(line.split(separator: " ").map(String.init))
        }
        #expect(error?.message == message)
        #expect(error?.hint == hint)
    }

    @Test(arguments: ["--help", "color --help", "-h color", "color -h ff8800", "brightness --version"])
    func nothingIsMissedWhereHelpIsAskedFor(_ line: String) throws {
        let parsed = try sample.parse(line.split(separator: " ").map(String.init))
        #expect(parsed.has(.help) || parsed.has(.version))
    }

    @Test func aProgramWithoutVerbsTakesOptionsOnly() throws {
        #expect(try plain.parse(["--socket", "/tmp/s"]).value(of: socket) == "/tmp/s")
        #expect(try plain.parse([]).value(of: socket) == nil)
        let error = #expect(throws: UsageError.self) { try plain.parse(["color"]) }
        #expect(error?.message == "lampd does not take 'color'")
    }

    @Test func theLastValueCounts() throws {
        let parsed = try sample.parse(["on", "--socket", "a", "--socket=b"])
        #expect(parsed.value(of: socket) == "b")
        #expect(parsed.values(of: socket) == ["a", "b"])
    }

    @Test(arguments: ["0", "101", "5.5", "x", "", "99999999999999999999"]) func aNumberOutOfRangeIsRefused(
        _ text: String
    )
        throws
    {
        let parsed = try sample.parse(["color", "red", "--brightness=\(text)"])
        #expect(throws: UsageError("--brightness takes a whole number from 1 to 100, not '\(text)'", verb: "color")) {
            try parsed.number(of: brightness, in: 1...100)
        }
    }

    @Test func quotedTextHidesWhatATerminalWouldObey() {
        #expect(quoted("a\u{1B}[31mb\u{202E}\n") == "'a\\u{1b}[31mb\\u{202e}\\u{a}'")
        #expect(quoted(String(repeating: "x", count: 100)) == "'" + String(repeating: "x", count: 80) + "...'")
    }
}
