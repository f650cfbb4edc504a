import Glibc
import Testing
import VirtualBlueZ

/// What surrounds `stripctl`: an empty environment, a full standard input, a terminal.
@Suite struct SurroundingsTests {
    @Test(
        "users.md 119: with nothing in the environment the error names the sockets that were tried",
        .enabled(if: !exists("/run/stripd/stripd.sock") && !exists("/run/user/\(getuid())/stripd.sock")))
    func emptyEnvironment() async throws {
        try await House.with(World(strips: 0, timing: .fast), startsDaemon: false) { house in
            let answer = await (try house.start("stripctl", ["status"])).end()
            #expect(answer.status == 4)
            #expect(
                answer.errors.hasPrefix("stripctl: no daemon answers at /run/stripd/stripd.sock: "), "\(answer.errors)")
            #expect(answer.errors.contains("/run/user/\(getuid())/stripd.sock"))
        }
    }

    @Test("the socket is found through the environment") func socketFromTheEnvironment() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            for environment in [["STRIPD_SOCKET": house.socket], ["XDG_RUNTIME_DIR": house.directory]] {
                let answer = await (try house.start("stripctl", ["on", "desk"], environment: environment)).end()
                #expect(answer == .done, "\(environment)")
            }
            let elsewhere = await
                (try house.start(
                    "stripctl", ["--socket", "/nowhere", "on"], environment: ["STRIPD_SOCKET": house.socket])).end()
            #expect(elsewhere.status == 4)
        }
    }

    @Test("users.md 118: junk on standard input is ignored") func junkOnInput() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let junk = house.directory + "/junk"
            try write(String(repeating: "off\n\u{0}color 000000\n", count: 10_000), to: junk)
            #expect(try await house.type("color ff8800 desk", input: junk) == .done)
            #expect(try await house.type("brightness 50 desk", input: junk) == .done)
            #expect(await house.lights() == [Frames.orange, "56 80 44 00 00 f0 aa"])
        }
    }

    @Test("users.md 119: a table is the same whatever the language") func languages() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let plain = try await house.type("status")
            for language in ["C", "de_DE.UTF-8", "tr_TR.UTF-8"] {
                #expect(try await house.type("status", environment: ["LANG": language, "LC_ALL": language]) == plain)
            }
            #expect(!plain.output.contains("\u{1B}"))
        }
    }

    // MARK: A terminal

    @Test(
        "one line on success, with a swatch where the terminal can show it",
        arguments: [
            ([:], "desk  ff8800  100 %  on\n"),
            (["COLORTERM": "truecolor", "NO_COLOR": "1"], "desk  ff8800  100 %  on\n"),
            (["COLORTERM": "truecolor"], "desk  \u{1B}[48;2;255;136;0m  \u{1B}[0m ff8800  100 %  on\n"),
        ] as [([String: String], String)])
    func aLineOnATerminal(environment: [String: String], line: String) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let stripctl = try await house.begin("color ff8800 desk", onTerminal: true, environment: environment)
            let answer = await stripctl.end()
            #expect(answer.status == 0)
            #expect(answer.output == line)
        }
    }

    @Test("after a second, a line about what is awaited") func waitingOnATerminal() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.setSilent(0, true)
            let stripctl = try await house.begin("on desk", onTerminal: true)
            #expect(await stripctl.says("waiting for desk (Ctrl-C ends the waiting, not the command)\n"))
            await house.bluez.setSilent(0, false)
            #expect(await stripctl.end().status == 0)
            #expect(await stripctl.soFar.output.hasSuffix("desk  ?  ?  on\n"))
        }
    }

    @Test func quietOnATerminal() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let answer = await (try house.begin("color ff8800 desk --quiet", onTerminal: true)).end()
            #expect(answer == .done)
        }
    }

    // MARK: Help

    @Test(
        "help teaches by example",
        arguments: [
            "on", "off", "toggle", "color", "white", "brightness", "effect", "speed", "effects", "status", "watch",
            "list",
            "scan", "adopt", "alias", "default", "forget", "release", "refresh",
        ])
    func help(verb: String) async throws {
        try await House.with(World(strips: 0, timing: .fast), startsDaemon: false) { house in
            let help = try await house.type("help \(verb)")
            #expect(help.status == 0)
            #expect(help.output.contains("stripctl \(verb)"))
            #expect(try await house.type("\(verb) --help") == help)
        }
    }

    @Test func versions() async throws {
        try await House.with(strips: 0) { house in
            let versions = try await house.type("version --json").json
            #expect(versions["stripd"] == versions["stripctl"])
            #expect(try await house.type("--version").status == 0)
            let daemon = await (try house.start("stripd", ["--version"])).end()
            #expect(daemon == ProgramResult(status: 0, output: "stripd \(versions["stripd"].text)\n", errors: ""))
        }
    }
}
