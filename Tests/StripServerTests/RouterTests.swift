import HTTPServer
import Testing

@testable import StripServer

/// What is refused before a handler sees it, and what every answer carries. None of these requests needs a strip.
@Suite struct RouterTests {
    /// Request, status, the end of the problem's type, and the detail.
    static let refused: [(String, Int, String, String)] = [
        ("GET /v1", 404, "no-such-route", #"there is nothing at "/v1"; see /v1/strips"#),
        ("GET /v2/strips", 404, "no-such-route", #"there is nothing at "/v2/strips"; see /v1/strips"#),
        ("GET /v1/strips/", 404, "no-such-route", #"the path "/v1/strips/" is not well-formed"#),
        ("GET //v1/strips", 404, "no-such-route", #"the path "//v1/strips" is not well-formed"#),
        ("GET /v1/strips/%00", 404, "no-such-route", #"the path "/v1/strips/%00" is not well-formed"#),
        ("GET /v1/strips/%ff", 404, "no-such-route", #"the path "/v1/strips/%ff" is not well-formed"#),
        ("GET /v1/strips/%4", 404, "no-such-route", #"the path "/v1/strips/%4" is not well-formed"#),
        ("GET /v1/strips/../health", 404, "no-such-route", #"the path "/v1/strips/../health" is not well-formed"#),
        ("OPTIONS *", 404, "no-such-route", #"the path "*" is not well-formed"#),
        (
            "GET /v1/strips/de%0ask", 404, "no-such-strip",
            #"no strip is called "de\nsk"; stripctl list shows the known ones"#
        ),
        (
            "GET /v1/strips/a%2fb", 404, "no-such-strip",
            #"no strip is called "a/b"; stripctl list shows the known ones"#
        ),
        ("GET /metrics", 404, "no-such-route", #"there is nothing at "/metrics"; see /v1/strips"#),
        ("GET /", 404, "no-such-route", #"there is nothing at "/"; see /v1/strips"#),
        (
            "TRACE /v1/strips/desk", 405, "method-not-allowed",
            #""TRACE" is not taken here; accepted: GET, PATCH, POST, PUT, DELETE, HEAD, OPTIONS"#
        ),
        ("get /v1/health", 405, "method-not-allowed", #""get" is not taken here; accepted: GET, HEAD, OPTIONS"#),
        ("GET /v1/scan", 405, "method-not-allowed", #""GET" is not taken here; accepted: POST, OPTIONS"#),
        (
            "PATCH /v1/strips/desk?dryrun=1 {\"on\":true}", 422, "unknown-member",
            #""dryrun" is not a parameter here; accepted: wait, dry_run; did you mean dry_run?"#
        ),
        (
            "PATCH /v1/strips/desk?wait=1&wait=2 {\"on\":true}", 422, "bad-value",
            #""wait" is there more than once; accepted: each parameter once"#
        ),
        ("GET /v1/strips?wait=1", 422, "unknown-member", #""wait" is not a parameter here; accepted: none"#),
    ]

    @Test(
        "users.md 132: each refusal has a stable type, a sentence, and quotes what is wrong", arguments: refused)
    func aRequestIsRefused(_ request: String, _ status: Int, _ problem: String, _ detail: String) async throws {
        try await Desk.without { desk in
            let answer = try await desk.ask(request)
            #expect(answer.status == status)
            #expect(answer.problem == problem)
            #expect(answer["detail"] == "\"\(detail)\"")
            #expect(answer["status"] == "\(status)")
            #expect(answer.headers["Content-Type"] == "application/problem+json")
        }
    }

    static let allowed: [(String, String)] = [
        ("/v1/strips", "GET, HEAD, OPTIONS"), ("/v1/strips/desk", "GET, PATCH, POST, PUT, DELETE, HEAD, OPTIONS"),
        ("/v1/strips/desk/toggle", "POST, OPTIONS"), ("/v1/strips/desk/release", "POST, OPTIONS"),
        ("/v1/strips/desk/refresh", "POST, OPTIONS"), ("/v1/strips/desk/alias", "PUT, OPTIONS"),
        ("/v1/strips/desk/default", "PUT, OPTIONS"), ("/v1/scan", "POST, OPTIONS"),
        ("/v1/events", "GET, HEAD, OPTIONS"),
    ]

    @Test(arguments: allowed) func optionsTellTheMethods(_ path: String, _ methods: String) async throws {
        try await Desk.without { desk in
            let answer = try await desk.ask("OPTIONS " + path)
            #expect(answer.status == 204)
            #expect(answer.headers == ["Allow": methods])
            #expect(try await desk.ask("TRACE " + path).headers["Allow"] == methods)
        }
    }

    @Test("users.md 126: a request from a web page is refused, whatever it asks")
    func aForeignOriginIsRefused() async throws {
        try await Desk.without { desk in
            for origin in ["https://evil.example", "null", "http://localhost:8765", ""] {
                for request in ["GET /v1/strips", "POST /v1/strips/all {\"on\":true}", "OPTIONS /v1/strips"] {
                    let answer = try await desk.ask(request, headers: ["Origin": origin])
                    #expect(answer.status == 403)
                    #expect(answer.problem == "refused-origin")
                }
            }
        }
    }

    @Test("users.md 127: no answer carries a CORS header") func noAnswerAllowsOtherOrigins() async throws {
        try await Desk.without { desk in
            for request in ["GET /v1/strips", "OPTIONS /v1/strips", "GET /v1/events", "GET /nothing"] {
                let names = try await desk.ask(request).headers.keys.map { $0.lowercased() }
                #expect(!names.contains { $0.hasPrefix("access-control-") })
            }
        }
    }

    static let bodies: [(String, Int)] = [
        ("application/json", 404), ("application/merge-patch+json", 404), ("APPLICATION/JSON", 404),
        ("application/json; charset=utf-8", 404), ("application/json ;charset=utf-8", 404), ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415), ("multipart/form-data; boundary=x", 415), ("", 415),
        ("application/jsonp", 415),
    ]

    @Test("users.md 126: only JSON is read, which no form can send", arguments: bodies)
    func aBodyHasToBeJSON(_ type: String, _ status: Int) async throws {
        try await Desk.without { desk in
            let answer = try await desk.ask("POST /v1/strips/nobody {\"on\":true}", headers: ["Content-Type": type])
            #expect(answer.status == status)
        }
    }

    @Test func aBodyOfNoStatedTypeIsRefused() async throws {
        try await Desk.without { desk in
            var request = try desk.request("POST /v1/scan")
            request.body = Array("{}".utf8)
            let answer = Reply(await desk.router.answer(request))
            #expect(answer.status == 415)
            #expect(
                answer["detail"]
                    == #""the body does not say what it is; accepted: Content-Type application/json or application/merge-patch+json""#
            )
        }
    }

    @Test func anEmptyBodyNeedsNoType() async throws {
        try await Desk.without { desk async throws in
            #expect(try await desk.ask("PATCH /v1/strips/desk").problem == "bad-value")
            #expect(try await desk.ask("POST /v1/strips/desk/release").problem == "no-such-strip")
        }
    }

    @Test func headIsAnsweredAsGet() async throws {
        try await Desk.without { desk in
            #expect(try await desk.ask("HEAD /v1/effects") == (try await desk.ask("GET /v1/effects")))
            let events = try await desk.ask("HEAD /v1/events")
            #expect(events.status == 200)
            #expect(events.body == "")
        }
    }

    @Test func answersAreNotKeptByCaches() async throws {
        try await Desk.without { desk in
            let answer = try await desk.ask("GET /v1/strips")
            #expect(
                answer.headers == [
                    "Content-Type": "application/json", "Cache-Control": "no-store",
                    "X-Content-Type-Options": "nosniff",
                ])
            #expect(answer.body == #"{"strips":[]}"#)
        }
    }

    @Test func aRefusalIsLoggedWithWhoAsked() async throws {
        try await Desk.without { desk in
            _ = try await desk.ask("DELETE /v1/strips/%1b%5b2J")
            #expect(
                await desk.log.rest() == [
                    #"info: uid 1000 pid 123: DELETE "/v1/strips/%1b%5b2J": 404 no strip is called "\u{1b}[2J"; stripctl list shows the known ones"#
                ])
        }
    }
}
