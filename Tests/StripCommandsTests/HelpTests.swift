// The help teaches: every verb has an example that works, and nothing is too wide.

import CommandLineTable
import StripAPI
import Testing

@testable import StripCommands

@Suite struct HelpTests {
    @Test func theOverviewNamesEveryVerbAndExitCode() throws {
        let result = try Stage().run("help")
        #expect(result.code == .done)
        #expect(
            result.out.hasPrefix(
                """
                stripctl - drive Bluetooth LED strips through the stripd daemon

                Usage: stripctl [OPTION...] VERB [VALUE] [TARGET...]

                Light:
                  on                    Switch on, as it was
                  off                   Switch off
                  toggle                Off if it is on, on if it is off
                  color COLOR           Set a colour, and switch on
                  white PCT             Set white, and switch on
                  brightness PCT        Dim, or make brighter
                  effect NAME           Run an effect that is built into the strip
                  speed PCT             Change the speed of the effect that runs
                  effects               List the effects that are built into the strips

                Look:
                  status                What the strips show, and how sure that is
                  watch                 Print each change as it happens, until Ctrl-C
                  list                  The strips that are known

                Strips:
                  scan                  Listen for strips nearby

                """), "\(result.out)")
        #expect(result.out.contains("\n  78  the configuration is wrong\n"))
        #expect(try Stage().run("--help").out == result.out)
        #expect(try Stage().run([]) == Performance(code: .usage, out: "", err: result.out))
    }

    @Test(arguments: Stripctl.commands.map(\.verb)) func aVerbHasAnExampleThatFits(_ verb: Verb) throws {
        #expect(!verb.examples.isEmpty)
        for example in verb.examples {
            for line in example.line.split(separator: " && ") {
                let words = line.split(separator: " ").dropFirst().map { String($0.filter { $0 != "'" }) }
                #expect(try Stripctl.program.parse(words).verb != nil, "\(example.line)")
            }
        }
        let help = try Stage().run("help \(verb.name)").out
        #expect(help.hasPrefix("stripctl \(verb.name) - \(verb.summary)\n\nUsage: stripctl \(verb.name)"))
        #expect(help.split(separator: "\n").allSatisfy { $0.hasPrefix("Usage:") || $0.count <= 100 })
        #expect(try Stage().run("\(verb.name) --help").out == help)
    }

    @Test("users.md 75: the help quotes what a shell would take apart") func colorHelp() throws {
        let help = try Stage().run("help color").out
        #expect(help.contains("'rgb(255,136,0)'"))
        #expect(help.contains("stripctl color 255 136 0 desk shelf"))
        #expect(help.contains("'#ff8800'"))
    }

    @Test(arguments: [
        ("colour red", "Did you mean color?"), ("swtich", ""), ("stauts", "Did you mean status?"),
        ("help colr", "Did you mean color?"),
    ]) func aVerbThatWasMistypedGetsASuggestion(_ line: String, _ hint: String) throws {
        let result = try Stage().run(line)
        #expect(result.code == .usage)
        #expect(result.err.contains(hint))
        #expect(result.out == "")
    }

    @Test func versions() throws {
        #expect(try Stage().run("--version").out == "stripctl \(Version.current)\n")
        let health =
            #"{"status":"ok","version":"9","bluetooth":"present","adapters":1,"strips":0,"problems":[],"state_file":"ok"}"#
        #expect(try Stage(answers: [ok(health)]).run("version").out == "stripctl \(Version.current)\nstripd 9\n")
        let alone = try Stage(environment: ["STRIPD_SOCKET": "/nonexistent/s"]).run("version --json")
        #expect(alone.out == "{\"stripctl\":\"\(Version.current)\",\"stripd\":null}\n")
        #expect(alone.code == .done)
    }
}
