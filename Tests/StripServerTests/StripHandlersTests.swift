import HTTPServer
import Testing
import VirtualBlueZ

@testable import StripServer

/// Who is known, and by what name.
@Suite struct StripHandlersTests {
    private func strip(
        _ id: String = "ff:ff:38:5b:40:65", alias: String? = nil, isDefault: Bool = false
    ) -> String {
        let alias = alias.map { "\"\($0)\"" } ?? "null"
        return
            #"{"adapter":null,"alias":\#(alias),"available":null,"brightness":null,"cause":null,"certainty":{"light":{"at":null,"is":"unknown"},"power":{"at":null,"is":"unknown"}},"color":null,"default":\#(isDefault),"effect":null,"id":"\#(id)","link":"idle","model":null,"name":null,"on":null,"pending":false,"rssi":null,"speed":null,"white":null}"#
    }

    @Test func aStripIsAdoptedAndShown() async throws {
        try await Desk.with(strips: 1) { desk in
            let desk65 = strip(alias: "desk")
            let adopted = try await desk.ask(#"PUT /v1/strips/FF-FF-38-5B-40-65 {"alias":"desk"}"#)
            #expect(adopted.status == 201)
            #expect(adopted.body == desk65)
            for target in ["desk", "ff:ff:38:5b:40:65", "FFFF385B4065", "de", "default", "DESK"] {
                let shown = try await desk.ask("GET /v1/strips/" + target)
                #expect(shown.status == 200)
                #expect(shown.body == desk65)
            }
            for target in ["", "/all", "/desk,desk"] {
                #expect(try await desk.ask("GET /v1/strips" + target).body == #"{"strips":[\#(desk65)]}"#)
            }
            #expect(await desk.bluez.frames(of: 0) == [])
        }
    }

    @Test func adoptingAgainIsNoMistakeAndMayGiveAName() async throws {
        try await Desk.with(strips: 1) { desk in
            #expect(try await desk.ask("PUT /v1/strips/ff:ff:38:5b:40:65 {}").status == 201)
            #expect(try await desk.ask("PUT /v1/strips/ff:ff:38:5b:40:65").status == 200)
            let named = try await desk.ask(#"PUT /v1/strips/ff:ff:38:5b:40:65 {"alias":"desk"}"#)
            #expect(named.status == 200)
            #expect(named["alias"] == "\"desk\"")
            let kept = try await desk.ask(#"PUT /v1/strips/ff:ff:38:5b:40:65 {"alias":null}"#)
            #expect(kept["alias"] == "\"desk\"")
        }
    }

    /// Request, status, the end of the problem's type, and the detail.
    static let refused: [(String, Int, String, String)] = [
        (
            "PUT /v1/strips/shelf {}", 422, "bad-value",
            #""shelf" is not a Bluetooth address; accepted: six pairs of hex digits, as in ff:ff:38:5b:40:65"#
        ),
        (
            #"PUT /v1/strips/ff:ff:38:5b:40:66 {"alias":"desk"}"#, 409, "alias-taken",
            #""desk" is the alias of ff:ff:38:5b:40:65 already; accepted: an alias that no strip has"#
        ),
        (
            #"PUT /v1/strips/ff:ff:38:5b:40:66 {"alias":"Living Room"}"#, 422, "bad-value",
            #""Living Room" cannot be an alias; accepted: 1 to 32 of a-z, 0-9, _ and -, not beginning with -; did you mean living-room?"#
        ),
        (
            #"PUT /v1/strips/ff:ff:38:5b:40:66 {"alias":7}"#, 422, "bad-value",
            #"alias: "7" is a number, not a string; accepted: desk"#
        ),
        (
            #"PUT /v1/strips/ff:ff:38:5b:40:66 {"allias":"x"}"#, 422, "unknown-member",
            #""allias" is not a member here; accepted: alias; did you mean alias?"#
        ),
        (
            #"PUT /v1/strips/ff:ff:38:5b:40:66 {"alias":"a","alias":"b"}"#, 422, "bad-value",
            #""alias" is there more than once; accepted: each member once"#
        ),
        (
            #"PUT /v1/strips/ff:ff:38:5b:40:66 [1]"#, 400, "malformed",
            #""[1]" is not an object in JSON; accepted: an object such as {"alias": "desk"}"#
        ),
        (
            #"PUT /v1/strips/desk/alias {}"#, 422, "bad-value",
            #""alias" is missing; accepted: {"alias": "desk"}, or null to take it away"#
        ),
        (
            #"PUT /v1/strips/desk/alias {"alias":"toggle"}"#, 422, "bad-value",
            #""toggle" cannot be an alias: it is a word of stripctl; accepted: 1 to 32 of a-z, 0-9, _ and -, not beginning with -; did you mean my-toggle?"#
        ),
        (
            "PUT /v1/strips/desk,shelf/default", 409, "ambiguous-target",
            #""desk,shelf" means 2 strips; accepted: one of them"#
        ),
        ("GET /v1/strips/dekk", 404, "no-such-strip", #"no strip is called "dekk"; did you mean desk?"#),
        ("GET /v1/strips/desk,", 404, "no-such-strip", #"no strip is called ""; stripctl list shows the known ones"#),
        (
            "GET /v1/strips/ff:ff:38:5b:40:99", 404, "no-such-strip",
            #"no strip is called "ff:ff:38:5b:40:99"; stripctl list shows the known ones"#
        ),
        (
            "DELETE /v1/strips/ff:ff:38:5b:40:99", 404, "no-such-strip",
            #"no strip is called "ff:ff:38:5b:40:99"; stripctl list shows the known ones"#
        ),
        (
            "GET /v1/strips/default", 409, "no-default",
            "several strips are known and none is the default; name one of desk, shelf, or say stripctl default NAME"
        ),
        (
            "GET /v1/strips/kitchen-group", 404, "no-such-strip",
            #"no strip is called "kitchen-group"; stripctl list shows the known ones"#
        ),
    ]

    @Test("users.md 132: what is wrong with a name or a target is said") func mistakesAreRefused() async throws {
        try await Desk.with(strips: 2) { desk in
            try await desk.adopt("desk", "shelf")
            let before = try await desk.ask("GET /v1/strips")
            for (request, status, problem, detail) in Self.refused {
                let answer = try await desk.ask(request)
                #expect(answer.status == status, "\(request)")
                #expect(answer.problem == problem, "\(request)")
                #expect(answer["detail"]?.dropFirst().dropLast() == detail[...], "\(request)")
            }
            #expect(try await desk.ask("GET /v1/strips") == before)
        }
    }

    @Test("users.md 126: no GET or HEAD changes anything, an unknown address included") func lookingChangesNothing()
        async throws
    {
        try await Desk.with(strips: 2) { desk in
            try await desk.adopt("desk")
            let before = try await desk.ask("GET /v1/strips")
            for method in ["GET", "HEAD"] {
                for path in [
                    "/v1/strips", "/v1/strips/desk", "/v1/strips/all", "/v1/strips/ff:ff:38:5b:40:66", "/v1/effects",
                    "/v1/adapters", "/v1/events", "/v1/health", "/v1/strips/desk/toggle", "/v1/scan",
                ] { _ = try await desk.ask(method + " " + path) }
            }
            #expect(try await desk.ask("GET /v1/strips") == before)
            #expect(await desk.bluez.frames(of: 0) == [])
            #expect(await desk.bluez.recordedCalls("Connect", "StartDiscovery").isEmpty)
        }
    }

    @Test func anAliasIsChangedAndTakenAway() async throws {
        try await Desk.with(strips: 1) { desk in
            try await desk.adopt("desk")
            #expect(try await desk.ask(#"PUT /v1/strips/desk/alias {"alias":"shelf"}"#).body == strip(alias: "shelf"))
            #expect(try await desk.ask("GET /v1/strips/desk").status == 404)
            #expect(try await desk.ask(#"PUT /v1/strips/shelf/alias {"alias":null}"#).body == strip())
        }
    }

    @Test func oneStripIsTheDefault() async throws {
        try await Desk.with(strips: 2) { desk in
            try await desk.adopt("desk", "shelf")
            let second = strip("ff:ff:38:5b:40:66", alias: "shelf", isDefault: true)
            #expect(try await desk.ask("PUT /v1/strips/shelf/default").body == second)
            #expect(try await desk.ask("GET /v1/strips/default").body == second)
            #expect(try await desk.ask("PUT /v1/strips/desk/default")["default"] == "true")
            #expect(try await desk.ask("GET /v1/strips/shelf")["default"] == "false")
        }
    }

    @Test func aForgottenStripIsGone() async throws {
        try await Desk.with(strips: 2) { desk in
            try await desk.adopt("desk", "shelf")
            let answer = try await desk.ask("DELETE /v1/strips/desk")
            #expect(answer == Reply(.init(status: 204)))
            #expect(try await desk.ask("DELETE /v1/strips/desk").status == 404)
            #expect(try await desk.ask("DELETE /v1/strips/all").status == 204)
            #expect(try await desk.ask("GET /v1/strips").body == #"{"strips":[]}"#)
        }
    }

    @Test func aReleasedStripHasNoLink() async throws {
        try await Desk.with(strips: 1) { desk in
            try await desk.adopt("desk")
            _ = try await desk.ask(#"PATCH /v1/strips/desk?wait=20 {"on":true}"#)
            #expect(await desk.bluez.isLinked(0))
            let answer = try await desk.ask("POST /v1/strips/desk/release")
            #expect(answer.status == 200)
            #expect(answer["link"] != "\"ready\"")
            await desk.bluez.wait(for: 0) { $0 == .unlinked }
            #expect(try await desk.ask("POST /v1/strips/all/release").body.hasPrefix(#"{"strips":["#))
        }
    }

    @Test func everyDeedIsLoggedWithWhoDidIt() async throws {
        try await Desk.with(strips: 1) { desk in
            _ = try await desk.ask("PUT /v1/strips/ff:ff:38:5b:40:65 {}")
            for request in [
                #"PUT /v1/strips/ff:ff:38:5b:40:65/alias {"alias":"desk"}"#, "PUT /v1/strips/desk/default",
                "POST /v1/strips/desk/release", "DELETE /v1/strips/desk",
            ] { _ = try await desk.ask(request) }
            #expect(
                await desk.log.rest().filter { $0.contains("uid ") } == [
                    "info: uid 1000 pid 123 adopted ff:ff:38:5b:40:65", "info: uid 1000 pid 123 named desk",
                    "info: uid 1000 pid 123 made desk the default", "info: uid 1000 pid 123 released desk",
                    "info: uid 1000 pid 123 forgot desk",
                ])
        }
    }
}
