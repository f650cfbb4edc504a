// The API's JSON, letter by letter.

import FoundationEssentials
import StripModel
import Testing

@testable import StripAPI

private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}

@Suite struct ShapesTests {
    let id = BluetoothAddress("ff:ff:38:5b:40:65")

    @Test func aProblemHasAStableType() throws {
        #expect(
            try json(Problem(.noSuchStrip, "no strip is called 'dsk'", suggestions: ["desk"])) == """
                {"detail":"no strip is called 'dsk'","status":404,"suggestions":["desk"],"title":"No such strip",\
                "type":"urn:stripd:no-such-strip"}
                """)
    }

    @Test func aFailedChangeIsAProblemWithItsCause() throws {
        let problem = Problem(failed: .outOfRange, strip: nil, detail: "not heard")
        #expect(
            try json(problem) == """
                {"cause":"out-of-range","detail":"not heard","outcome":"failed","status":504,\
                "title":"The change could not be carried out","type":"urn:stripd:out-of-range"}
                """)
        #expect(problem.kind == nil)
        #expect(Problem(failed: .noAdapter, strip: nil).status == 503)
    }

    @Test func noTwoProblemsShareAType() {
        let types = Problem.Kind.allCases.map(\.rawValue) + FailureCause.allCases.map(\.rawValue)
        #expect(Set(types).count == types.count)
    }

    @Test("users.md 123: what is not known is null, not missing") func aFoundStripHasAllItsMembers() throws {
        let id = try #require(id)
        let found = FoundStrip(address: id, name: nil, rssi: nil, adapter: "hci0", verdict: .maybe, known: false)
        #expect(
            try json(found) == """
                {"adapter":"hci0","address":"ff:ff:38:5b:40:65","alias":null,"known":false,"name":null,"rssi":null,\
                "verdict":"maybe"}
                """)
    }

    @Test func healthNamesItsMembersWithUnderscores() throws {
        let health = Health(
            status: .degraded, version: "1", bluetooth: .noBus, adapters: 0, strips: 2, problems: ["x"], stateFile: "ok"
        )
        #expect(
            try json(health) == """
                {"adapters":0,"bluetooth":"no-bus","problems":["x"],"state_file":"ok","status":"degraded","strips":2,\
                "version":"1"}
                """)
    }

    @Test("users.md 104: the list of effects is there as JSON") func effectsAreListed() throws {
        #expect(EffectList.all.effects.count == 23)
        #expect(try json(EffectList.all.effects[0]).contains(#""code":37"#))
    }

    @Test func anAnswerIsToldByItsMembers() throws {
        #expect(
            try decode(Answer.self, from: Array(#"{"frames":["cc 23 33"],"notes":[]}"#.utf8))
                == .dryRun(DryRun(frames: ["cc 23 33"])))
        #expect(try decode(Answer.self, from: Array(#"{"strips":[]}"#.utf8)) == .strips([]))
        #expect(throws: ClientError.self) { try decode(Answer.self, from: Array("[]".utf8)) }
        #expect(throws: ClientError.self) { try decode(Answer.self, from: Array(#"{"outcome":"exploded"}"#.utf8)) }
        #expect(throws: ClientError.self) { try decode(Answer.self, from: []) }
    }

    @Test func anAnswerWithoutAProblemIsDescribed() {
        let problem = Problem(Response(status: 502, headers: [], body: Array("<html>".utf8)))
        #expect(problem.detail == "the daemon answered with status 502 and no explanation")
        #expect(problem.status == 502)
    }
}
