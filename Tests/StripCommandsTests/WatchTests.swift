// `stripctl watch`: lines, filters, and a daemon that is restarted.

import Testing

@testable import StripCommands

@Suite struct WatchTests {
    static let both = #"{"strips":[\#(strip("desk")),\#(strip("shelf", id: "ff:ff:38:5b:40:66"))]}"#

    @Test func aLineIsPrintedForWhatIsSeenToChange() throws {
        let answer = stream(
            ("snapshot", Self.both), ("strip", strip("desk", ["rssi": "-50"])),
            ("strip", strip("desk", ["on": "false"])),
            (
                "adapter",
                #"{"name":"hci0","address":"00:11:22:33:44:55","powered":false,"discovering":false,"in_use":true}"#
            ),
            (
                "adapter",
                #"{"name":"hci0","address":"00:11:22:33:44:55","powered":false,"discovering":true,"in_use":true}"#
            ),
            ("removed", #"{"id":"ff:ff:38:5b:40:66"}"#), ("news", "{}"))
        let result = try Stage(answers: [answer]).run("watch")
        #expect(
            result.out == """
                desk  ff8800  100 %  on  ready
                shelf  ff8800  100 %  on  ready
                desk  ff8800  100 %  off  ready
                adapter hci0  off
                shelf  forgotten

                """)
    }

    @Test func aRestartOfTheDaemonIsLivedThrough() throws {
        let answers = [
            stream(("snapshot", Self.both)), "",
            stream(("snapshot", Self.both), ("strip", strip("desk", ["on": "false"]))),
        ]
        let result = try Stage(answers: answers, isTerminal: true).run("watch desk")
        #expect(result.requests.count == 3)
        #expect(result.out == "desk  ff8800  100 %  on  ready\ndesk  ff8800  100 %  off  ready\n")
        #expect(result.err.hasPrefix("the daemon has gone; waiting for it to come back\n"))
    }

    @Test func jsonIsALineForEachEvent() throws {
        let answer = stream(("snapshot", Self.both), ("strip", strip("desk")), ("news", "{}"))
        let result = try Stage(answers: [answer]).run("watch --json")
        #expect(
            result.out == """
                {"event":"snapshot","data":\(Self.both)}
                {"event":"strip","data":\(strip("desk"))}
                {"event":"news","data":{}}

                """)
    }

    @Test func aTargetThatIsNotThereIsToldAtOnce() throws {
        let result = try Stage(answers: [stream(("snapshot", Self.both))]).run("watch dsk")
        #expect(result.code == .noSuchStrip)
        #expect(result.err == "stripctl: \"dsk\" is no known strip\nDid you mean desk?\n")
    }

    @Test func nobodyReadingEndsIt() throws {
        let result = try Stage(answers: [stream(("snapshot", Self.both))], linesUntilClosed: 1).run("watch")
        #expect(result.code == .done)
        #expect(result.out == "desk  ff8800  100 %  on  ready\n")
    }

    @Test func withoutADaemonItEnds() throws {
        #expect(try Stage(environment: ["STRIPD_SOCKET": "/nonexistent/s"]).run("watch").code == .unreachable)
    }

    @Test func aRefusalEndsIt() throws {
        let busy = #"{"type":"urn:stripd:busy","title":"x","status":503,"detail":"too many listeners"}"#
        let result = try Stage(answers: [ok(busy, status: 503)]).run("watch")
        #expect(result.code == .failed)
        #expect(result.err == "stripctl: too many listeners\n")
    }

    @Test func anEventThatMakesNoSenseEndsIt() throws {
        let result = try Stage(answers: [stream(("snapshot", "[1]"))]).run("watch")
        #expect(result.code == .failed)
    }
}
