// Runs stripctl in this process against a server that plays a script, and keeps what was printed.

import ScriptedServer

@testable import StripCommands

/// What a command did.
struct Performance: Equatable {
    var code: ExitCode
    var out: String
    var err: String
    /// `PATCH /v1/strips/desk?wait=35 {"on":true}`, one a connection.
    var requests: [String] = []
}

struct Stage {
    var answers: [String] = []
    var isTerminal = false
    var environment: [String: String] = [:]
    /// Sockets besides the server's.
    var sockets: Set<String> = []
    var groups: [String: String] = [:]
    /// After so many lines nobody reads any more; nor after three pauses.
    var linesUntilClosed = Int.max

    func run(_ line: String) throws -> Performance {
        try run(line.split(separator: " ").map(String.init))
    }

    func run(_ words: [String]) throws -> Performance {
        let server = answers.isEmpty ? nil : try ScriptedServer(answers)
        let paper = Paper()
        var environment = environment
        if let server { environment["STRIPD_SOCKET"] = server.path }
        let (variables, sockets, groups, limit) = (environment, sockets, groups, linesUntilClosed)
        let surroundings = Surroundings(
            environment: { variables[$0] }, userID: 1000, outputIsTerminal: isTerminal, errorsAreTerminal: isTerminal,
            now: { 1_796_090_590 },  // 2026-12-01T02:03:10Z
            write: { text in
                guard paper.lines < limit else { throw OutputClosed() }
                paper.lines += 1
                paper.out += text
            },
            complain: { paper.err += $0 }, isSocket: { sockets.contains($0) }, group: { groups[$0] },
            pause: { _ in
                paper.pauses += 1
                if paper.pauses == 3 { throw OutputClosed() }
            })
        let code = Stripctl.run(words, in: surroundings)
        let requests = server?.finish() ?? []
        return Performance(code: code, out: paper.out, err: paper.err, requests: requests.map(Self.inShort))
    }

    private static func inShort(_ request: String) -> String {
        let target = request.split(separator: " HTTP/1.1").first ?? ""
        let body = request.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().first ?? ""
        return body.isEmpty ? String(target) : "\(target) \(body)"
    }
}

/// Written by the one thread that runs the command; hence the unchecked conformance.
private final class Paper: @unchecked Sendable {
    var out = ""
    var err = ""
    var lines = 0
    var pauses = 0
}

func ok(_ body: String, status: Int = 200) -> String {
    "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
}

/// An event stream that ends after these events.
func stream(_ events: (name: String, data: String)...) -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        + events.map { "event: \($0.name)\ndata: \($0.data)\n\n" }.joined()
}

/// A strip's JSON; `members` replace the usual ones.
func strip(_ alias: String?, id: String = "ff:ff:38:5b:40:65", _ members: [String: String] = [:]) -> String {
    var all = [
        "id": "\"\(id)\"", "alias": alias.map { "\"\($0)\"" } ?? "null", "name": "\"Triones-FFFF385B4065\"",
        "model": "null", "available": "true", "link": "\"ready\"", "cause": "null", "rssi": "null",
        "adapter": "\"hci0\"", "pending": "false", "default": "false", "on": "true", "color": "\"ff8800\"",
        "brightness": "100", "white": "null", "effect": "null", "speed": "null",
        "certainty":
            #"{"power":{"is":"reported","at":"2026-12-01T02:03:07Z"},"light":{"is":"reported","at":"2026-12-01T02:03:07Z"}}"#,
    ]
    all.merge(members) { $1 }
    return "{" + all.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
}

func written(_ strip: String, _ outcome: String = "written", notes: String = "[]") -> String {
    ok(#"{"outcome":"\#(outcome)","strip":\#(strip),"notes":\#(notes)}"#)
}
