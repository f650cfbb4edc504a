import BlueZ
import StripCore
import Testing
import VirtualBlueZ

@testable import StripServer

/// What is told of the daemon as a whole.
@Suite struct HouseHandlersTests {
    @Test func allIsWell() async throws {
        try await Desk.with(strips: 1) { desk in
            try await desk.adopt("desk")
            let answer = try await desk.ask("GET /v1/health")
            #expect(answer.status == 200)
            #expect(
                answer.body
                    == #"{"adapters":1,"bluetooth":"present","problems":[],"state_file":"ok","status":"ok","strips":1,"version":"0.1.0"}"#
            )
        }
    }

    @Test func withoutABusTheDaemonIsDegraded() async throws {
        try await Desk.without { desk in
            let answer = try await desk.ask("GET /v1/health")
            #expect(
                answer.body
                    == #"{"adapters":0,"bluetooth":"no-bus","problems":["The message bus cannot be reached: not connected yet"],"state_file":"ok","status":"degraded","strips":0,"version":"0.1.0"}"#
            )
        }
    }

    @Test("users.md 150: a state directory that cannot be written to is a problem, and the light works on")
    func aStateDirectoryThatIsMissing() async throws {
        try await Desk.with(strips: 0) { desk in
            let house = HouseHandlers(registry: desk.registry, bluez: desk.client, stateDirectory: "/nonexistent/state")
            let answer = Reply(await house.health())
            #expect(answer["status"] == "\"degraded\"")
            #expect(
                answer["state_file"] == "\"/nonexistent/state cannot be written to: No such file or directory\"")
            #expect(answer["problems"] == "[" + (answer["state_file"] ?? "") + "]")
        }
    }

    @Test func adaptersAreListed() async throws {
        let adapters = [AdapterDescription(), AdapterDescription(number: 1)]
        try await Desk.with(World(adapters: adapters, strips: [], timing: .fast)) { desk in
            let events = await desk.client.events()
            if await desk.client.adapters.count(where: \.powered) < 2 {
                for await _ in events where await desk.client.adapters.count(where: \.powered) == 2 { break }
            }
            let answer = try await desk.ask("GET /v1/adapters")
            #expect(
                answer.body
                    == #"{"adapters":[{"address":"00:1a:7d:da:71:13","discovering":false,"in_use":true,"name":"hci0","powered":true},{"address":"00:1a:7d:da:71:14","discovering":false,"in_use":true,"name":"hci1","powered":true}]}"#
            )
        }
    }

    @Test func effectsAreListed() async throws {
        try await Desk.without { desk in
            let answer = try await desk.ask("GET /v1/effects")
            #expect(answer.status == 200)
            #expect(
                answer.body.hasPrefix(
                    #"{"effects":[{"code":37,"description":""#), "\(answer.body.prefix(80))")
            #expect(answer.body.split(separator: #""code":"#).count == 24)
        }
    }

    @Test func aScanTellsWhatIsHeard() async throws {
        var neighbour = StripDescription(address: "C0:FF:EE:00:00:01", name: "ELK-BLEDOM")
        neighbour.rssi = -80
        let world = World(strips: [StripDescription(index: 0), neighbour], timing: .fast)
        try await Desk.with(world) { desk in
            try await desk.adopt("desk")
            let answer = try await desk.ask(#"POST /v1/scan {"seconds":3}"#)
            #expect(answer.status == 200)
            #expect(
                answer.body
                    == #"{"found":[{"adapter":"hci0","address":"ff:ff:38:5b:40:65","alias":"desk","known":true,"name":"Triones-FFFF385B4065","rssi":-52,"verdict":"strip"},{"adapter":"hci0","address":"c0:ff:ee:00:00:01","alias":null,"known":false,"name":"ELK-BLEDOM","rssi":-80,"verdict":"other"}]}"#
            )
        }
    }

    static let scans: [(String, String, String)] = [
        (#"{"seconds":0}"#, "bad-value", #"seconds: \"0\" is out of range; accepted: a whole number from 1 to 60"#),
        (#"{"seconds":61}"#, "bad-value", #"seconds: \"61\" is out of range; accepted: a whole number from 1 to 60"#),
        (
            #"{"seconds":1.5}"#, "bad-value",
            #"seconds: \"1.5\" is a number, not a whole number; accepted: a whole number from 1 to 60"#
        ),
        (
            #"{"seconds":"5"}"#, "bad-value",
            #"seconds: \"5\" is a string, not a whole number; accepted: a whole number from 1 to 60"#
        ),
        (
            #"{"second":5}"#, "unknown-member",
            #"\"second\" is not a member here; accepted: seconds; did you mean seconds?"#
        ),
    ]

    @Test("users.md 132: a scan that makes no sense is refused", arguments: scans)
    func aBadScanIsRefused(_ body: String, _ problem: String, _ detail: String) async throws {
        try await Desk.without { desk in
            let answer = try await desk.ask("POST /v1/scan " + body)
            #expect(answer.status == 422)
            #expect(answer.problem == problem)
            #expect(answer.body.contains("\"detail\":\"\(detail)\""), "\(answer.body)")
        }
    }

    @Test func aScanWithoutABusFails() async throws {
        try await Desk.without { desk in
            let answer = try await desk.ask("POST /v1/scan")
            #expect(answer.status == 503)
            #expect(answer.problem == "no-bluetooth-service")
        }
    }
}
