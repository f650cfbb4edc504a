import DBus
import StripCore
import Testing
import VirtualBlueZ

@testable import StripServer

/// What becomes of a change, as the client is told.
@Suite struct ChangeHandlersTests {
    @Test func aChangeThatIsWaitedForWasWritten() async throws {
        try await Desk.with(strips: 1) { desk in
            try await desk.adopt("desk")
            let answer = try await desk.ask(#"PATCH /v1/strips/desk?wait=20 {"color":"ff8800"}"#)
            #expect(answer.status == 200)
            #expect(
                answer.body
                    == #"{"notes":[],"outcome":"written","strip":{"adapter":"hci0","alias":"desk","available":true,"brightness":100,"cause":null,"certainty":{"light":{"at":"TIME","is":"assumed"},"power":{"at":"TIME","is":"assumed"}},"color":"ff8800","default":false,"effect":null,"id":"ff:ff:38:5b:40:65","link":"ready","model":null,"name":"Triones-FFFF385B4065","on":true,"pending":false,"rssi":null,"speed":null,"white":null}}"#
            )
            #expect(await desk.bluez.frames(of: 0, atLeast: 2).prefix(2) == ["cc 23 33", "56 ff 88 00 00 f0 aa"])
        }
    }

    @Test("a change without wait is accepted at once, with the wanted values and pending true")
    func aChangeIsAccepted() async throws {
        try await Desk.with(strips: 1) { desk in
            try await desk.adopt("desk")
            await desk.bluez.setSilent(0, true)
            for query in ["", "?wait=0"] {
                let answer = try await desk.ask(##"POST /v1/strips/desk\##(query) {"color":"#0f0"}"##)
                #expect(answer.status == 200)
                #expect(answer["outcome"] == "\"accepted\"")
                #expect(answer.body.contains(#""color":"00ff00""#))
                #expect(answer.body.contains(#""pending":true"#))
            }
        }
    }

    @Test func aNewerChangeSupersedesOneThatWaits() async throws {
        try await Desk.with(strips: 1) { desk in
            try await desk.adopt("desk")
            await desk.bluez.setSilent(0, true)
            async let first = desk.ask(#"PATCH /v1/strips/desk?wait=20 {"color":"ff0000"}"#)
            var events = try await desk.events()
            while let event = await events.text(), !event.contains(#""color":"ff0000""#) {}
            _ = try await desk.ask(#"PATCH /v1/strips/desk {"color":"0000ff"}"#)
            let answer = try await first
            #expect(answer.status == 200)
            #expect(answer["outcome"] == "\"superseded\"")
        }
    }

    @Test func aStripOutOfRangeFailsAtTheDeadline() async throws {
        try await Desk.with(strips: 1) { desk in
            try await desk.adopt("desk")
            await desk.bluez.setSilent(0, true)
            let answer = try await desk.ask(#"PATCH /v1/strips/desk?wait=20 {"on":true,"deadline":0.05}"#)
            #expect(answer.status == 504)
            #expect(answer.headers["Content-Type"] == "application/problem+json")
            #expect(answer.problem == "out-of-range")
            #expect(answer["outcome"] == "\"failed\"")
            #expect(answer["cause"] == "\"out-of-range\"")
            #expect(answer["strip"]?.contains(#""available":false"#) == true)
        }
    }

    @Test func anAdapterThatIsOffFailsSoon() async throws {
        var adapter = AdapterDescription()
        adapter.powered = false
        let world = World(
            adapters: [adapter], strips: [StripDescription(index: 0)], timing: .fast)
        try await Desk.with(world) { desk in
            try await desk.adopt("desk")
            let answer = try await desk.ask(#"PATCH /v1/strips/desk?wait=20 {"on":true}"#)
            #expect(answer.status == 503)
            #expect(answer.problem == "adapter-off")
            #expect(try await desk.ask("POST /v1/scan").problem == "adapter-off")
            #expect(try await desk.ask("GET /v1/strips/desk").status == 200)
        }
    }

    static let refused: [(String, Int, String, String)] = [
        (#"{"colour":"ff8800"}"#, 422, "unknown-member", #""colour" is not a member of a change;"#),
        (#"{"transition":3}"#, 422, "bad-value", #""transition" is not available yet;"#),
        (#"{"color":"gg8800"}"#, 422, "bad-value", #"color: "gg8800" is not a colour;"#),
        (#"{"brightness":0}"#, 422, "bad-value", #"brightness: "0""#),
        (#"{"brightness":50.5}"#, 422, "bad-value", #"brightness: "50.5""#),
        (#"{"brightness":1e999}"#, 422, "bad-value", "brightness: "),
        (#"{"on":"yes"}"#, 422, "bad-value", #"on: "yes" is a string, not a boolean;"#),
        (#"{"on":true,"on":false}"#, 422, "bad-value", #""on" is there more than once;"#),
        (#"{"color":"f00","white":5}"#, 422, "bad-value", "white: "),
        (#"{"on":null}"#, 422, "bad-value", "on: "),
        (#"{}"#, 422, "bad-value", #""{}" changes nothing;"#),
        (#"[]"#, 422, "bad-value", #""[...]" is an array, not a change;"#),
        (#"{"on":true"#, 400, "malformed", #""{\"on\":true" is not JSON;"#),
        (#"{"on":true,}"#, 400, "malformed", #""{\"on\":true,}" is not JSON;"#),
        ("{\"on\":true}\u{0}", 400, "malformed", #""{\"on\":true}\0" is not JSON in UTF-8;"#),
        ("\u{1b}[2J", 400, "malformed", #""\u{1b}[2J" is not JSON;"#),
    ]

    @Test("users.md 132: each bad body is refused with what is wrong in it", arguments: refused)
    func aBadBodyIsRefused(_ body: String, _ status: Int, _ problem: String, _ detail: String) async throws {
        try await Desk.without { desk in
            let answer = try await desk.ask("PATCH /v1/strips/ff:ff:38:5b:40:65 " + body)
            #expect(answer.status == status)
            #expect(answer.problem == problem)
            let text = detail.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            #expect(answer.body.contains("\"detail\":\"\(text)"), "\(answer.body)")
            #expect(try await desk.ask("GET /v1/strips").body == #"{"strips":[]}"#, "a refused change adopts nobody")
        }
    }

    @Test("users.md 128: a body that nests without end is refused") func aDeepBodyIsRefused() async throws {
        try await Desk.without { desk in
            for depth in [600, 30_000] {
                for (open, close) in [("[", "]"), (#"{"on":"#, "}")] {
                    let nested = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
                    for request in ["PATCH /v1/strips/desk", "PUT /v1/strips/ff:ff:38:5b:40:65", "POST /v1/scan"] {
                        let answer = try await desk.ask("\(request) \(nested)")
                        #expect(answer.status == 400)
                        #expect(answer.body.utf8.count < 1000)
                    }
                }
            }
        }
    }

    static let queries: [(String, Int)] = [
        ("wait=0", 200), ("wait=0.000001", 200), ("wait=00", 200), ("wait=60.1", 422), ("wait=61", 422),
        ("wait=-1", 422), ("wait=", 422), ("wait", 422), ("wait=5s", 422), ("wait=nan", 422), ("wait=inf", 422),
        ("wait=1e1", 422), ("wait=0x1", 422), ("wait=1.2.3", 422), ("wait=.", 422), ("wait=%2B1", 422),
        ("wait=\(String(repeating: "9", count: 400))", 422), ("dry_run=1", 200), ("dry_run=true", 200),
        ("dry_run=0", 200), ("dry_run=false", 200), ("dry_run=yes", 422), ("dry_run=", 422), ("dry_run", 422),
        ("dry_run=1&wait=5", 200), ("wait=1&wait=1", 422), ("pretty", 422), ("DRY_RUN=1", 422),
    ]

    @Test func theQueryHasAGrammar() async throws {
        try await Desk.with(strips: 1) { desk in
            try await desk.adopt("desk")
            await desk.bluez.setSilent(0, true)
            for (query, status) in Self.queries {
                let answer = try await desk.ask(#"PATCH /v1/strips/desk?\#(query) {"on":true}"#)
                #expect(answer.status == status, "\(query): \(answer.body)")
            }
        }
    }

    @Test func aDryRunTellsTheFramesAndSendsNothing() async throws {
        try await Desk.with(strips: 1) { desk in
            try await desk.adopt("desk")
            let answer = try await desk.ask(#"PATCH /v1/strips/desk?dry_run=1 {"color":"ff8800"}"#)
            #expect(answer.status == 200)
            #expect(answer.body == #"{"frames":["cc 23 33","56 ff 88 00 00 f0 aa"],"notes":[]}"#)
            #expect(await desk.bluez.recordedCalls("Connect", "StartDiscovery").isEmpty)
        }
    }

    @Test func severalStripsAnswerOneByOne() async throws {
        try await Desk.with(strips: 2) { desk in
            try await desk.adopt("desk", "shelf")
            let answer = try await desk.ask(#"PATCH /v1/strips/all?wait=20 {"on":false}"#)
            #expect(answer.status == 200)
            #expect(answer.body.split(separator: #""outcome":"written""#).count == 3)
            #expect(answer.body.contains(#""id":"ff:ff:38:5b:40:66","notes":[],"outcome":"written","status":200"#))
        }
    }

    @Test func whatFailsAmongSeveralHasItsOwnPartOfTheAnswer() async throws {
        try await Desk.with(strips: 2) { desk in
            try await desk.adopt("desk", "shelf")
            await desk.bluez.setSilent(1, true)
            let answer = try await desk.ask(#"PATCH /v1/strips/desk,shelf?wait=20 {"on":true,"deadline":2}"#)
            #expect(answer.status == 207)
            #expect(answer.body.contains(#""id":"ff:ff:38:5b:40:65","notes":[],"outcome":"written","status":200"#))
            #expect(answer.body.contains(#""id":"ff:ff:38:5b:40:66","notes":[],"outcome":"failed","status":504"#))
        }
    }

    @Test func aNameAmongSeveralThatMeansNoStripStopsThemAll() async throws {
        try await Desk.with(strips: 1) { desk in
            try await desk.adopt("desk")
            for request in [#"PATCH /v1/strips/desk,lamp?wait=20 {"on":true}"#, "POST /v1/strips/lamp,desk/toggle"] {
                let answer = try await desk.ask(request)
                #expect(answer.status == 404)
                #expect(answer.problem == "no-such-strip")
            }
            #expect(await desk.bluez.recordedCalls("Connect", "StartDiscovery").isEmpty)
        }
    }

    @Test func toggleInvertsOneAndSwitchesSeveralOff() async throws {
        try await Desk.with(strips: 2) { desk in
            try await desk.adopt("desk", "shelf")
            _ = try await desk.ask(#"PATCH /v1/strips/desk?wait=20 {"on":true}"#)
            _ = try await desk.ask(#"PATCH /v1/strips/shelf?wait=20 {"on":false}"#)
            let all = try await desk.ask("POST /v1/strips/all/toggle?wait=20")
            #expect(all.status == 200)
            #expect(try await desk.ask("GET /v1/strips/desk")["on"] == "false")
            #expect(try await desk.ask("GET /v1/strips/shelf")["on"] == "false")
            let one = try await desk.ask("POST /v1/strips/desk/toggle?wait=20")
            #expect(one["outcome"] == "\"written\"")
            #expect(try await desk.ask("GET /v1/strips/desk")["on"] == "true")
        }
    }

    @Test func refreshTellsWhatTheStripReports() async throws {
        try await Desk.with(strips: 1) { desk in
            try await desk.adopt("desk")
            let answer = try await desk.ask("POST /v1/strips/desk/refresh?wait=20")
            #expect(answer.status == 200)
            #expect(answer["outcome"] == "\"written\"")
            #expect(answer.body.contains(#""power":{"at":"TIME","is":"reported"}"#))
            #expect(await desk.bluez.frames(of: 0).allSatisfy { $0 == "ef 01 77" })
        }
    }

    @Test("what a strip that reports nothing is asked for is answered at once", .timeLimit(.minutes(1)))
    func nobodyWaitsForReportsThatCannotCome() async throws {
        var timing = Timing.brisk
        timing.deadline = .seconds(70)  // more than the time limit
        try await Desk.with(strips: 1, timing: timing) { desk in
            try await desk.adopt("desk")
            let refusal = BusError(name: "org.bluez.Error.NotSupported", message: "Operation is not supported")
            await desk.bluez.failNext("StartNotify", with: refusal, times: 9)
            for attempt in ["connecting", "connected"] {
                let answer = try await desk.ask("POST /v1/strips/desk/refresh")
                #expect(answer.problem == "no-answer", "\(attempt)")
            }
        }
    }

    @Test func theFirstCommandAdoptsTheOnlyStripInRange() async throws {
        try await Desk.with(strips: 1) { desk in
            let answer = try await desk.ask(#"PATCH /v1/strips/default?wait=20 {"on":true}"#)
            #expect(answer.status == 200)
            #expect(
                answer["notes"]
                    == #"["adopted ff:ff:38:5b:40:65 ("Triones-FFFF385B4065"), the only strip in range; stripctl forget ff:ff:38:5b:40:65 undoes it"]"#
            )
        }
    }

    @Test("of several strips in range none is adopted: one of them is a neighbour's")
    func ofSeveralStripsNoneIsAdopted() async throws {
        try await Desk.with(strips: 2) { desk in
            let answer = try await desk.ask(#"PATCH /v1/strips/default?wait=20 {"on":true}"#)
            #expect(answer.status == 409)
            #expect(answer.problem == "several-found")
            #expect(answer["found"]?.contains(#""address":"ff:ff:38:5b:40:66""#) == true)
            #expect(try await desk.ask("GET /v1/strips").body == #"{"strips":[]}"#)
        }
    }

    @Test func withNoStripInRangeNothingIsFound() async throws {
        try await Desk.with(strips: 0) { desk in
            let answer = try await desk.ask(#"PATCH /v1/strips/default?wait=20 {"on":true}"#)
            #expect(answer.status == 404)
            #expect(answer.problem == "none-found")
        }
    }

    @Test func whoChangedTheLightIsInTheLog() async throws {
        try await Desk.with(strips: 1) { desk in
            try await desk.adopt("desk")
            _ = try await desk.ask(#"PATCH /v1/strips/default?wait=20 {"color":"orange","brightness":"50%"}"#)
            _ = try await desk.ask("POST /v1/strips/desk/toggle?wait=20")
            #expect(
                await desk.log.rest().filter { $0.contains(": uid ") } == [
                    "info: uid 1000 pid 123 adopted desk",
                    #"info: uid 1000 pid 123 set desk {"color":"ffa500","brightness":50}: written"#,
                    "info: uid 1000 pid 123 toggled desk: written",
                ])
        }
    }
}
