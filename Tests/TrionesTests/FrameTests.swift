import Seeds
import Testing
import Triones

/// Encoding: bytes, and the way back.
@Suite struct FrameTests {
    @Test(
        "Frames of the design's own examples",
        arguments: [
            (Command.color(red: 0xff, green: 0x88, blue: 0x00), "56 ff 88 00 00 f0 aa"),
            (.power(.on), "cc 23 33"),
            (.power(.off), "cc 24 33"),
            (.white(0x80), "56 00 00 00 80 0f aa"),
            (.queryStatus, "ef 01 77"),
            (.unlock, "fb 02 05 05 0f 08 23 01 02 00 05 55 22 01 12 13 14 fa"),
        ])
    func frameOfCommand(command: Command, text: String) throws {
        let frame = Frame(command)
        #expect(frame.description == text)
        #expect(frame.bytes == (try bytes(text)))
        #expect(frame.count == frame.bytes.count)
        for index in 0..<frame.count { #expect(frame[index] == frame.bytes[index]) }
    }

    @Test("users.md 86: black and grey by colour leave the white channel alone")
    func blackAndGreyAreColours() {
        #expect(Frame(.color(red: 0, green: 0, blue: 0)).description == "56 00 00 00 00 f0 aa")
        #expect(Frame(.color(red: 0x80, green: 0x80, blue: 0x80)).description == "56 80 80 80 00 f0 aa")
    }

    @Test func decodingIsTheInverseOfEncoding() throws {
        for command in everyKindOfCommand() {
            let frame = Frame(command)
            #expect(try Command(decoding: frame.bytes) == command)
            #expect(Frame(try Command(decoding: frame.bytes)) == frame)
        }
    }

    @Test("users.md 57: every frame fits one write of 20 bytes")
    func everyFrameFitsOneWrite() {
        for command in everyKindOfCommand() { #expect((3...20).contains(Frame(command).count)) }
    }

    @Test func differentCommandsHaveDifferentFrames() {
        let commands = Set(everyKindOfCommand())
        #expect(Set(commands.map(Frame.init)).count == commands.count)
    }

    /// All values of every byte, one byte at a time, and some colours at random.
    private func everyKindOfCommand() -> [Command] {
        var random = SeededGenerator(seed: 7)
        var commands: [Command] = [.power(.on), .power(.off), .queryStatus, .unlock]
        for value in UInt8.min...UInt8.max {
            commands.append(.white(value))
            commands.append(.color(red: value, green: 0, blue: 0))
            commands.append(.color(red: .random(using: &random), green: value, blue: .random(using: &random)))
            guard let speed = Speed(rawValue: value) else { continue }
            commands += EffectCode.allCases.map { .effect($0, speed) }
        }
        return commands
    }
}

extension UInt8 {
    static func random(using generator: inout SeededGenerator) -> UInt8 { random(in: .min ... .max, using: &generator) }
}
