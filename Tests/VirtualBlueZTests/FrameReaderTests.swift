import FoundationEssentials
import Testing

@testable import VirtualBlueZ

@Suite("Frames, as the simulated firmware reads them")
struct FrameReaderTests {
    @Test(arguments: try Vector.all(in: "commands.json"))
    func everyCommandVectorIsUnderstood(_ vector: Vector) throws {
        let command = try #require(vector.command)
        #expect(FrameMeaning(try bytes(vector.frame)) == (try command.meaning))
    }

    /// The firmware is laxer than the encoder only in these.
    @Test(arguments: try Vector.all(in: "malformed.json") + Vector.all(in: "relatives.json"))
    func everyMalformedOrForeignCommandIsIgnored(_ vector: Vector) throws {
        guard vector.as == "command" else { return }
        let laxer = ["speed 00", "unlock, as another client sends it"]
        let meaning = FrameMeaning(try bytes(vector.frame))
        #expect((meaning == nil) == !laxer.contains(vector.name))
    }

    @Test func clockAndTimerFramesAreUnderstood() throws {
        #expect(
            FrameMeaning(try bytes("10 14 10 02 1c 05 07 18 07 00 01"))
                == .clock([0x14, 0x10, 0x02, 0x1C, 0x05, 0x07, 0x18, 0x07]))
        #expect(FrameMeaning(try bytes("12 1a 1b 21")) == .clockQuery)
        #expect(FrameMeaning(try bytes("24 2a 2b 42")) == .timerQuery)
    }
}

/// One case of `Protocol/vectors`, as data.
struct Vector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var frame: String
    var `as`: String?
    var command: Command?

    struct Command: Decodable {
        var power: String?
        var color: String?
        var white: String?
        var effect: String?
        var speed: String?
        var query: String?
        var unlock: Bool?

        var meaning: FrameMeaning? {
            get throws {
                if let power { return .power(on: power == "on") }
                if let color {
                    let value = try #require(UInt32(color, radix: 16))
                    return .color(
                        red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
                }
                if let white { return .white(try #require(UInt8(white, radix: 16))) }
                if let effect, let speed {
                    return .effect(
                        code: try #require(UInt8(effect, radix: 16)), speed: try #require(UInt8(speed, radix: 16)))
                }
                if query != nil { return .statusQuery }
                return unlock == true ? .unlock : nil
            }
        }
    }

    var testDescription: String { name }

    static func all(in file: String, from here: String = #filePath) throws -> [Vector] {
        let root = URL(filePath: here).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try JSONDecoder().decode(
            [Vector].self, from: Data(contentsOf: root.appending(path: "Protocol/vectors/\(file)")))
    }
}
