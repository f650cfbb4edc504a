// Server-sent events, in whatever pieces they come.

import Testing

@testable import StripAPI

@Suite struct EventStreamParserTests {
    static let stream =
        ": hello\n\nevent: snapshot\ndata: {\"strips\":[]}\n\nid: 7\nretry: 10\nevent:strip\r\ndata: {\"a\":\r\ndata:1}\r\n\r\n"
        + "data: plain\r\revent: nothing\n\ndata\n\ndata: not ended\n"
    static let events = [
        StreamEvent(name: "snapshot", data: "{\"strips\":[]}"), StreamEvent(name: "strip", data: "{\"a\":\n1}"),
        StreamEvent(name: "message", data: "plain"), StreamEvent(name: "message", data: ""),
    ]

    @Test func eventsAreTheSameAtEverySplit() throws {
        let bytes = Array(Self.stream.utf8)
        for split in 0...bytes.count {
            var parser = EventStreamParser()
            let events = try parser.feed(Array(bytes[..<split])) + parser.feed(Array(bytes[split...]))
            #expect(events == Self.events, "split at \(split)")
        }
    }

    @Test func anEventWithoutEndIsRefused() {
        var parser = EventStreamParser(limit: 100)
        #expect(throws: ClientError.tooLarge) {
            for _ in 0..<20 { _ = try parser.feed(Array("data: 0123456789\n".utf8)) }
        }
    }

    @Test func randomBytesNeverTrap() throws {
        var random = Seeded(state: 77)
        let letters = Array("data: event:\r\n\n\n".utf8) + [0, 255]
        for _ in 0..<500 {
            var parser = EventStreamParser()
            let bytes = (0..<200).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] }
            _ = try parser.feed(bytes)
        }
    }
}
