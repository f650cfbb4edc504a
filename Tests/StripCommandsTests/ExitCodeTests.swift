// Every way to fail has its number, and says what to do.

import StripAPI
import StripModel
import Testing

@testable import StripCommands

@Suite("users.md 121: exit codes") struct ExitCodeTests {
    static let causes: [(FailureCause, Int32)] = [
        (.outOfRange, 5), (.timedOut, 6), (.noAdapter, 8), (.adapterOff, 8), (.noBluetoothService, 8), (.notAllowed, 7),
        (.refused, 1), (.noServices, 1), (.notAStrip, 1), (.writeRefused, 1), (.noAnswer, 6), (.released, 1),
        (.forgotten, 1), (.stopping, 1), (.nothingToChange, 1), (.failed, 1),
    ]

    @Test(arguments: causes) func aFailedChangeHasItsCausesCode(_ cause: FailureCause, _ code: Int32) throws {
        #expect(Self.causes.count == FailureCause.allCases.count)
        let problem = Problem(failed: cause, strip: nil)
        let answer = ok(String(decoding: problem.json, as: UTF8.self), status: problem.status)
        let result = try Stage(answers: [answer]).run("on desk")
        #expect(result.code.rawValue == code)
        #expect(result.err == "stripctl: \(cause.explanation)\n")
        #expect(result.out == "")
    }

    static let kinds: [(Problem.Kind, Int32)] = [
        (.noSuchStrip, 3), (.ambiguousTarget, 3), (.noDefault, 3), (.noneFound, 3), (.severalFound, 3), (.badValue, 2),
        (.unknownMember, 2), (.forbidden, 7), (.refusedOrigin, 7), (.aliasTaken, 1), (.busy, 1), (.failed, 1),
    ]

    @Test(arguments: kinds) func aProblemHasItsKindsCode(_ kind: Problem.Kind, _ code: Int32) throws {
        let problem = Problem(kind, "that was it", suggestions: ["desk"])
        let body = String(decoding: problem.json, as: UTF8.self)
        let result = try Stage(answers: [ok(body, status: kind.status)]).run("on dsk")
        #expect(result.code.rawValue == code)
        #expect(result.err == "stripctl: that was it\nDid you mean desk?\n")
        let json = try Stage(answers: [ok(body, status: kind.status)]).run("on dsk --json")
        #expect(json.err == body + "\n")
        #expect(json.out == "")
    }

    @Test func theNumbersAreThoseOfTheManual() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 78])
    }

    @Test func severalStripsAreListedWithTheCommandThatAdopts() throws {
        let body = """
            {"type":"urn:stripd:several-found","title":"x","status":409,"detail":"two were heard","found":[\
            {"address":"ff:ff:38:5b:40:65","name":"Triones-\\u001b[31mX","rssi":-50,"adapter":"hci0","verdict":"strip","known":false,"alias":null},\
            {"address":"ff:ff:38:5b:40:66","name":null,"rssi":null,"adapter":"hci0","verdict":"strip","known":false,"alias":null}]}
            """
        let result = try Stage(answers: [ok(body, status: 409)]).run("on")
        #expect(result.code == .noSuchStrip)
        #expect(
            result.err == """
                stripctl: two were heard
                  stripctl adopt ff:ff:38:5b:40:65  # Triones-\u{FFFD}[31mX  -50 dBm
                  stripctl adopt ff:ff:38:5b:40:66  # no name

                """)
    }

    @Test func whatTheDetailSaysIsNotSaidTwice() throws {
        let body = """
            {"type":"urn:stripd:several-found","title":"x","status":409,"detail":"ff:ff:38:5b:40:65 and desk","found":[\
            {"address":"ff:ff:38:5b:40:65","name":null,"rssi":-50,"adapter":"hci0","verdict":"strip","known":false,"alias":null},\
            {"address":"ff:ff:38:5b:40:66","name":"ELK","rssi":-9,"adapter":"hci0","verdict":"other","known":false,"alias":null}],\
            "suggestions":["desk"]}
            """
        #expect(try Stage(answers: [ok(body, status: 409)]).run("on").err == "stripctl: ff:ff:38:5b:40:65 and desk\n")
    }

    @Test("users.md 121, 123: an error is JSON where JSON was asked for") func errorsAsJSON() throws {
        let alone = try Stage(environment: ["STRIPD_SOCKET": "/nonexistent/s"]).run("on --json")
        #expect(
            alone.err.hasPrefix(#"{"detail":"no daemon answers at /nonexistent/s: No such file or directory\nStart it"#)
        )
        #expect(
            alone.err.hasSuffix(
                #""status":503,"title":"The daemon cannot be reached","type":"urn:stripd:unreachable"}"# + "\n"))
        let value = try Stage().run("color gg8800 --json")
        #expect(value.err.contains(#""type":"urn:stripd:bad-value""#))
        #expect(value.code == .usage)
    }

    @Test func withoutADaemonItSaysHowToStartOne() throws {
        let result = try Stage(environment: ["STRIPD_SOCKET": "/nonexistent/s"]).run("on")
        #expect(result.code == .unreachable)
        #expect(
            result.err == """
                stripctl: no daemon answers at /nonexistent/s: No such file or directory; Start it: systemctl start stripd, \
                or stripd to run it as yourself; stripd --simulate 3 is one to try without any hardware.

                """)
    }

    @Test("users.md 146: a closed socket names its group") func permission() {
        let search = SocketSearch(option: "/run/stripd/stripd.sock", in: .still)
        let error = ClientError.notAllowed(path: "/run/stripd/stripd.sock")
        #expect(ExitCode(error) == .notAllowed)
        #expect(
            search.advice(on: error) { _ in "stripd" } == """
                permission denied: you may not use the socket /run/stripd/stripd.sock, which belongs to the group stripd
                Join it: sudo usermod -aG stripd $USER, then log in again.
                """)
        #expect(search.advice(on: error) { _ in nil }.hasSuffix("stripd.sock; its directory is closed to you"))
    }

    @Test(arguments: ["", "garbage\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", ok("[]"), ok("{}")])
    func anAnswerThatIsNoneIsAFailure(_ answer: String) throws {
        let result = try Stage(answers: [answer]).run("on")
        #expect(result.code == .failed)
        #expect(result.err.hasPrefix("stripctl: "))
    }
}

extension Surroundings {
    /// Nothing set, nothing there.
    static let still = Surroundings(
        environment: { _ in nil }, userID: 1000, outputIsTerminal: false, errorsAreTerminal: false, now: { 0 },
        write: { _ in }, complain: { _ in }, isSocket: { _ in false }, group: { _ in nil }, pause: { _ in })
}
