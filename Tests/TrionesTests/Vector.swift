import FoundationEssentials
import Testing
import Triones

/// One case of `Protocol/vectors`, as data.
struct Vector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var frame: String
    var direction: Direction
    var source: String
    var derived: Bool?
    var tolerance: String?
    // What the frame means: one of these.
    var command: CommandText?
    var status: StatusText?
    var acknowledged: PowerText?
    var error: String?
    /// Who reads a frame that has an error.
    var `as`: Reader?

    enum Direction: String, Decodable { case encode, decode, both }
    enum Reader: String, Decodable { case command, report }
    enum PowerText: String, Decodable { case on, off }

    struct CommandText: Decodable {
        var power: PowerText?
        var color: String?
        var white: String?
        var effect: String?
        var speed: String?
        var query: String?
        var unlock: Bool?
    }

    struct StatusText: Decodable {
        var model: String
        var power: PowerText?
        var mode: String
        var code: String?
        var speed: String
        var color: String
        var white: String
        var version: String?
    }

    var testDescription: String { name }

    static func all(in file: String, from here: String = #filePath) throws -> [Vector] {
        let root = URL(filePath: here).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: root.appending(path: "Protocol/vectors/\(file)"))
        return try JSONDecoder().decode([Vector].self, from: data)
    }
}

/// `"56 ff 00"` and `"ff8800"` as bytes.
func bytes(_ text: String) throws -> [UInt8] {
    let digits = text.filter { $0 != " " }
    return try stride(from: 0, to: digits.count, by: 2).map { offset in
        let start = digits.index(digits.startIndex, offsetBy: offset)
        return try #require(UInt8(digits[start...].prefix(2), radix: 16), "\(text) is not bytes")
    }
}

func byte(_ text: String) throws -> UInt8 { try #require(UInt8(text, radix: 16), "\(text) is not a byte") }

extension Power {
    init(_ text: Vector.PowerText) { self = text == .on ? .on : .off }
}

extension Command {
    init(_ text: Vector.CommandText) throws {
        if let power = text.power {
            self = .power(Power(power))
        } else if let color = text.color {
            let channels = try bytes(color)
            self = .color(red: channels[0], green: channels[1], blue: channels[2])
        } else if let white = text.white {
            self = .white(try byte(white))
        } else if let effect = text.effect, let speed = text.speed {
            self = .effect(
                try #require(EffectCode(rawValue: try byte(effect))), try #require(Speed(rawValue: try byte(speed))))
        } else if text.query == "status" {
            self = .queryStatus
        } else {
            try #require(text.unlock == true)
            self = .unlock
        }
    }
}

extension Status {
    init(_ text: Vector.StatusText) throws {
        let channels = try bytes(text.color)
        let code = try text.code.map(byte)
        let mode: Mode? =
            switch text.mode {
            case "still": .still
            case "effect": code.flatMap(EffectCode.init(rawValue:)).map(Mode.effect)
            default: code.map(Mode.other)
            }
        try self.init(
            model: byte(text.model), power: text.power.map(Power.init), mode: #require(mode), speed: byte(text.speed),
            red: channels[0], green: channels[1], blue: channels[2], white: byte(text.white),
            version: text.version.map(byte))
    }
}
