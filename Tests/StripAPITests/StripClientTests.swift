// The client against a server that plays a script.

import ScriptedServer
import StripModel
import Testing

@testable import StripAPI

@Suite struct StripClientTests {
    static let recorded =
        "HTTP/1.1 200 OK\r\nDate: Tue, 01 Dec 2026 02:03:04 GMT\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{\"a\"\r\n3\r\n:1}\r\n0\r\n\r\n"

    @Test func aRequestIsWrittenAsItGoesOverTheWire() throws {
        let server = try ScriptedServer([Self.recorded])
        var request = Request(.change, ["desk"], query: [("wait", "20")], body: #"{"on":true}"#)
        request.query.append(("x", "a b"))
        let response = try StripClient(socket: server.path).send(request, seconds: 10)
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"a":1}"#)
        #expect(
            server.finish() == [
                "PATCH /v1/strips/desk?wait=20&x=a%20b HTTP/1.1\r\nHost: localhost\r\n"
                    + "Accept: application/json, application/problem+json\r\nConnection: close\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 11\r\n\r\n{\"on\":true}"
            ])
    }

    @Test func anAnswerMayComeInPieces() throws {
        let bytes = Array(Self.recorded.utf8)
        let splits = stride(from: 1, to: bytes.count, by: 7).map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
        let server = try ScriptedServer(splits.map { .pieces($0) })
        for _ in splits {
            let response = try StripClient(socket: server.path).send(Request(.health), seconds: 10)
            #expect(response.body == Array(#"{"a":1}"#.utf8))
        }
        #expect(server.finish().count == splits.count)
    }

    @Test func silenceIsRemarkedUponAndThenTimesOut() throws {
        let server = try ScriptedServer([.silence])
        var client = StripClient(socket: server.path)
        client.secondsOfSilence = 0
        var remarks = 0
        #expect(throws: ClientError.timedOut(seconds: 0)) {
            try client.send(Request(.health), seconds: 0) { remarks += 1 }
        }
        #expect(remarks == 1)
        _ = server.finish()
    }

    @Test func aDaemonThatHangsUpIsAnError() throws {
        let server = try ScriptedServer(["", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"])
        let client = StripClient(socket: server.path)
        for _ in 0..<2 { #expect(throws: ClientError.endedEarly) { try client.send(Request(.health), seconds: 10) } }
        _ = server.finish()
    }

    @Test func noSocketIsUnreachable() {
        let error = #expect(throws: ClientError.self) {
            try StripClient(socket: "/nonexistent/s.sock").send(Request(.health), seconds: 1)
        }
        #expect(error?.description == "cannot reach /nonexistent/s.sock: No such file or directory")
    }

    @Test(arguments: ["", String(repeating: "x", count: 200), "/tmp/a\0b"]) func aPathThatIsNoneIsRefused(
        _ path: String
    ) {
        #expect(throws: ClientError.badPath(path)) { try StripClient(socket: path).send(Request(.health), seconds: 1) }
    }

    @Test func eventsAreHandedOutAsTheyCome() throws {
        let server = try ScriptedServer([
            .pieces([
                Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8),
                Array("1a\r\nevent: strip\ndata: {".utf8),
                Array("}\n\n: a\r\n12\r\n\nevent: x\ndata: 1\n\r\n1\r\n\n\r\n0\r\n\r\n".utf8),
            ])
        ])
        var events: [StreamEvent] = []
        let refusal = try StripClient(socket: server.path).follow(Request(.events)) {
            events.append($0)
            return true
        }
        #expect(refusal == nil)
        #expect(events == [StreamEvent(name: "strip", data: "{}"), StreamEvent(name: "x", data: "1")])
        #expect(server.finish()[0].contains("Accept: text/event-stream\r\n"))
    }

    @Test func aRefusalInPlaceOfAStreamIsReturned() throws {
        let server = try ScriptedServer(["HTTP/1.1 503 No\r\nContent-Length: 2\r\n\r\n{}"])
        let refusal = try StripClient(socket: server.path).follow(Request(.events)) { _ in true }
        #expect(refusal?.status == 503)
        _ = server.finish()
    }
}
