import Testing
import VirtualBlueZ

/// The REST API as a program meets it that writes HTTP by hand.
@Suite struct HTTPTests {
    @Test("PATCH and POST change a strip; wait holds the answer back", arguments: ["PATCH", "POST"])
    func changes(method: String) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let reply = try await house.http(
                "\(method) /v1/strips/desk?wait=10", #"{"color":"ff8800","brightness":50}"#)
            #expect(reply.status == 200)
            #expect(reply.headers["content-type"] == "application/json")
            #expect(reply.json["outcome"] == "written")
            #expect(reply.json["notes"] == [])
            #expect(reply.json["strip"]["color"] == "ff8800")
            #expect(reply.json["strip"]["brightness"] == 50)
            #expect(await house.frames() == [Frames.on, "56 80 44 00 00 f0 aa"])
        }
    }

    @Test func withoutWaitItIsAccepted() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.setSilent(0, true)
            for query in ["", "?wait=0"] {
                let reply = try await house.http("PATCH /v1/strips/desk\(query)", #"{"on":true}"#)
                #expect(reply.status == 200)
                #expect(reply.json["outcome"] == "accepted")
                #expect(reply.json["strip"]["pending"] == true)
            }
            let waited = try await house.http("PATCH /v1/strips/desk?wait=0.2", #"{"on":true}"#)
            #expect(waited.json["outcome"] == "accepted", "the wait ends before the deadline does")
        }
    }

    @Test func aDeadlineOfItsOwn() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.setSilent(0, true)
            let reply = try await house.http("PATCH /v1/strips/desk?wait=20", #"{"on":true,"deadline":0.3}"#)
            #expect(reply.status == 504)
            #expect(reply.headers["content-type"] == "application/problem+json")
            #expect(reply.json["type"] == "urn:stripd:out-of-range")
            #expect(reply.json["outcome"] == "failed" && reply.json["cause"] == "out-of-range")
            #expect(try await house.http("GET /v1/strips/desk").status == 200, "out of range is no error to look at")
        }
    }

    @Test func aDryRunSendsNothing() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let reply = try await house.http(
                "POST /v1/strips/desk?dry_run=1", #"{"effect":"seven-color-fade","speed":100}"#)
            #expect(reply.body == #"{"frames":["cc 23 33","bb 25 01 44"],"notes":[]}"# + "\n")
            #expect(await house.bluez.recordedCalls("Connect").isEmpty)
        }
    }

    @Test(
        "users.md 77, 132: a bad body is refused, naming the member and quoting the value",
        arguments: [
            (#"{"colour":"ff8800"}"#, 422, "unknown-member", "colour"),
            (#"{"onn":true}"#, 422, "unknown-member", "onn"),
            (#"{"on":"yes"}"#, 422, "bad-value", "on"), (#"{"on":null}"#, 422, "bad-value", "on"),
            (#"{"color":1}"#, 422, "bad-value", "color"), (#"{"color":"gg8800"}"#, 422, "bad-value", "gg8800"),
            (#"{"brightness":0}"#, 422, "bad-value", "off"), (#"{"brightness":50.5}"#, 422, "bad-value", "brightness"),
            (#"{"brightness":1e999}"#, 422, "bad-value", "brightness"),
            (#"{"brightness":true}"#, 422, "bad-value", "brightness"),
            (#"{"effect":"disco"}"#, 422, "bad-value", "disco"), (#"{"effect":36}"#, 422, "bad-value", "36"),
            (#"{"speed":0}"#, 422, "bad-value", "speed"), (#"{"color":"f00","white":5}"#, 422, "bad-value", "white"),
            (#"{"transition":5}"#, 422, "bad-value", "transition"),
            (#"{"deadline":0,"on":true}"#, 422, "bad-value", "deadline"),
            ("{}", 422, "bad-value", "changes nothing"), ("[]", 422, "bad-value", "array"), ("5", 422, "bad-value", ""),
            ("", 422, "bad-value", "changes nothing"), ("{", 400, "malformed", ""),
            (#"{"on":true,}"#, 400, "malformed", ""),
            ("\u{0}", 400, "malformed", ""), (#"{"on":true} x"#, 400, "malformed", ""),
            (String(repeating: "[", count: 5000), 400, "malformed", ""),
        ] as [(String, Int, String, String)])
    func badBodies(body: String, status: Int, type: String, word: String) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let reply = try await house.http("PATCH /v1/strips/desk", body)
            #expect(reply.status == status, "\(reply.body)")
            #expect(reply.headers["content-type"] == "application/problem+json")
            #expect(reply.json["type"] == .string("urn:stripd:" + type))
            #expect(reply.json["status"] == .number(Double(status)))
            #expect(reply.json["detail"].text.contains(word), "\(reply.body)")
            #expect(await house.bluez.recordedCalls("Connect").isEmpty)
        }
    }

    @Test("users.md 132: a member that comes twice") func duplicates() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let reply = try await house.http("PATCH /v1/strips/desk", #"{"on":true,"on":false}"#)
            #expect((400..<500).contains(reply.status), "\(reply.body)")
        }
    }

    @Test(
        "paths and methods",
        arguments: [
            ("GET /", 404, nil), ("GET /v1/nothing", 404, nil), ("GET /v1/strips/nosuch", 404, nil),
            ("GET /v1/strips//toggle", 404, nil), ("GET /v1/strips/%00", 404, nil), ("GET /v1/strips/..", 404, nil),
            ("GET /v1/strips/desk/toggle", 405, "POST"), ("PATCH /v1/strips", 405, "GET"),
            ("DELETE /v1/health", 405, "GET"),
            ("PUT /v1/strips/desk", 422, nil), ("PATCH /v1/strips/desk?wait=61", 422, nil),
            ("PATCH /v1/strips/desk?wait=soon", 422, nil),
        ] as [(String, Int, String?)])
    func paths(line: String, status: Int, allow: String?) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let reply = try await house.http(
                line, line.hasPrefix("GET") || line.hasPrefix("DEL") ? nil : #"{"on":true}"#)
            #expect(reply.status == status, "\(reply.body)")
            if let allow { #expect(reply.headers["allow"]?.contains(allow) == true) }
            #expect(await house.bluez.recordedCalls("Connect").isEmpty)
        }
    }

    @Test func optionsAndHead() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            for (path, allow) in [
                ("/v1/strips/desk", ["GET", "HEAD", "PATCH", "POST", "PUT", "DELETE", "OPTIONS"]),
                ("/v1/strips", ["GET", "HEAD", "OPTIONS"]), ("/v1/scan", ["POST", "OPTIONS"]),
            ] {
                let options = try await house.http("OPTIONS \(path)")
                #expect(options.status == 204)
                let methods = options.headers["allow"]?.split(separator: ", ").map(String.init) ?? []
                #expect(Set(methods) == Set(allow), "\(path)")
            }
            let get = try await house.http("GET /v1/strips/desk")
            let head = try await house.http("HEAD /v1/strips/desk")
            #expect(head.status == 200)
            #expect(head.body == "")
            #expect(head.headers["content-length"] == get.headers["content-length"])
            #expect(await house.bluez.recordedCalls("Connect").isEmpty)
        }
    }

    @Test(
        "users.md 126, 127: a web page of another origin, and bodies that a form can send",
        arguments: [
            (["Origin: http://evil.example"], 403), (["Origin: null"], 403), (["Content-Type: text/plain"], 415),
            (["Content-Type: application/x-www-form-urlencoded"], 415),
        ])
    func browsers(headers: [String], status: Int) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let reply = try await house.http("POST /v1/strips/desk", #"{"on":true}"#, headers)
            #expect(reply.status == status)
            #expect(reply.headers["access-control-allow-origin"] == nil)
            #expect(await house.bluez.recordedCalls("Connect").isEmpty)
        }
    }

    @Test("users.md 126: no GET and no HEAD changes anything") func safeMethods() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            for path in [
                "/v1/strips", "/v1/strips/desk", "/v1/strips/all", "/v1/effects", "/v1/adapters", "/v1/health",
                "/v1/strips/aa:bb:cc:dd:ee:ff", "/v1/strips/desk/toggle", "/v1/strips/desk?on=true", "/v1/scan",
            ] {
                for method in ["GET", "HEAD"] { _ = try await house.http("\(method) \(path)") }
            }
            #expect(try await house.http("GET /v1/strips").json["strips"].items.count == 1, "looking adopts nobody")
            #expect(await house.bluez.recordedCalls.allSatisfy { $0.member == "GetManagedObjects" })
        }
    }

    @Test func severalStripsAndGroups() async throws {
        try await House.with(strips: 2, adopted: ["desk", "shelf"]) { house in
            await house.bluez.setSilent(1, true)
            let reply = try await house.http("PATCH /v1/strips/desk,shelf?wait=20", #"{"on":true,"deadline":1}"#)
            #expect(reply.status == 207)
            #expect(reply.json["results"].items.map { $0["status"] } == [200, 504])
            #expect(try await house.http("GET /v1/strips/all").json["strips"].items.count == 2)
            let empty = try await house.http("PUT /v1/strips/desk/alias", "{}")
            #expect((200..<500).contains(empty.status))
        }
    }

    @Test("adopting, naming and forgetting") func registry() async throws {
        try await House.with(strips: 1) { house in
            let new = try await house.http("PUT /v1/strips/FF-FF-38-5B-40-65", #"{"alias":"desk"}"#)
            #expect(new.status == 201 && new.json["id"] == "ff:ff:38:5b:40:65" && new.json["alias"] == "desk")
            #expect(try await house.http("PUT /v1/strips/ff:ff:38:5b:40:65", "{}").status == 200)
            #expect(try await house.http("PUT /v1/strips/desk/alias", #"{"alias":"Big Lamp"}"#).status == 422)
            #expect(try await house.http("PUT /v1/strips/desk/alias", #"{"alias":"lamp"}"#).json["alias"] == "lamp")
            #expect(try await house.http("PUT /v1/strips/lamp/default").json["default"] == true)
            #expect(try await house.http("DELETE /v1/strips/lamp").status == 204)
            #expect(try await house.http("DELETE /v1/strips/lamp").status == 404)
        }
    }
}
