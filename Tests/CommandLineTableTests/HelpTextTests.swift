// The help as it is printed, letter by letter.

import Testing

@testable import CommandLineTable

@Suite struct HelpTextTests {
    @Test func theOverviewListsVerbsByGroup() {
        #expect(
            sample.help() == """
                lamp - a lamp

                Usage: lamp [OPTION...] VERB [VALUE] [TARGET...]

                Commands:
                  on                    Switch on
                  color COLOR           Set a colour
                  brightness LEVEL      Dim
                  adopt ADDRESS [NAME]  Take in

                Options:
                      --socket PATH  Socket
                  -j, --json         JSON
                  -q, --quiet        Quiet
                  -h, --help         Show this help and do nothing else
                  -V, --version      Show the version and do nothing else

                Examples:
                  lamp on  Light.

                lamp help VERB explains one verb.

                """)
    }

    @Test func aVerbExplainsItself() throws {
        let verb = try #require(sample.verb(named: "color"))
        #expect(
            sample.help(of: verb).hasPrefix(
                """
                lamp color - Set a colour

                Usage: lamp color COLOR [TARGET...] [--brightness PCT]

                Arguments:
                  COLOR   A colour
                  TARGET  Strips

                Options:
                  -b, --brightness PCT  Brightness

                """))
    }

    @Test func anErrorSaysWhereToReadOn() {
        let error = UsageError("no", hint: "Try yes.", verb: "color")
        #expect(sample.explanation(of: error) == "lamp: no\nTry yes.\nSee: lamp help color\n")
    }
}
