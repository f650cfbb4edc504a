import FoundationEssentials
import StripModel
import Testing
import VirtualBlueZ

@testable import StripServer

/// `Protocol/vectors/api.json`: what a request makes of a strip, byte by byte. `given` is done before it: `on`, `off`, or a
/// change. Status queries are left out of `frames`. `answer` names members of the strip in the answer.
@Suite struct APIVectorTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        var name: String
        var request: Request
        var given: [JSONText]
        var frames: [String]
        var status: Int
        var answer: [String: JSONText]?
        var testDescription: String { name }

        struct Request: Decodable, Sendable {
            var method: String
            var path: String
            var body: JSONText?
        }
    }

    static let vectors: [Vector] = {
        let path =
            #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Protocol/vectors/api.json"
        do {
            return try JSONDecoder().decode([Vector].self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            Issue.record("\(path): \(error)")
            return []
        }
    }()

    @Test(arguments: vectors) func theFramesAreThese(_ vector: Vector) async throws {
        // Model 4 has no white channel, so that only `white_channel` gives it one.
        var description = StripDescription(index: 0)
        description.model = 0x04
        try await Desk.with(World(strips: [description], timing: .fast)) { desk in
            try await desk.adopt("desk")
            for given in vector.given {
                let body =
                    switch given.text {
                    case "\"on\"": #"{"on":true}"#
                    case "\"off\"": #"{"on":false}"#
                    default: given.text
                    }
                #expect(try await desk.ask("PATCH /v1/strips/desk?wait=20 \(body)").status == 200)
            }
            let before = await desk.writtenFrames().count
            let ask = "\(vector.request.method) \(vector.request.path)"
            let body = vector.request.body.map { " " + $0.text } ?? ""
            if !vector.request.path.hasSuffix("/toggle") {
                let dry = try await desk.ask("\(ask)?dry_run=1\(body)")
                #expect(dry.status == vector.status)
                if dry.status == 200 {
                    #expect(dry["frames"] == "[" + vector.frames.map { "\"\($0)\"" }.joined(separator: ",") + "]")
                }
            }
            let answer = try await desk.ask("\(ask)?wait=20\(body)")
            #expect(answer.status == vector.status, "\(answer.body)")
            #expect(Array(await desk.writtenFrames().dropFirst(before)) == vector.frames)
            let strip = try await desk.ask("GET /v1/strips/desk")
            for (member, value) in vector.answer ?? [:] { #expect(strip[member] == value.text, "\(member)") }
        }
    }
}

extension Desk {
    /// What the strip received, without status queries.
    fileprivate func writtenFrames() async -> [String] { await bluez.frames(of: 0).filter { $0 != "ef 01 77" } }
}
