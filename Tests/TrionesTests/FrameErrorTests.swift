import Seeds
import Testing
import Triones

/// What a refusal says.
@Suite struct FrameErrorTests {
    @Test(
        "A refused command says which byte and what was expected",
        arguments: [
            ("", "empty frame: expected 56 (colour, white), bb (effect), cc (power), ef (status query) or fb (unlock)"),
            ("cc", "cc: it has 1 byte, expected 3 (power)"),
            ("cc 25 33", "cc 25 33: byte 1 is 25, expected 23 (on) or 24 (off)"),
            ("cc 23 34", "cc 23 34: byte 2 is 34, expected 33 (end of power)"),
            (
                "dd 23 33",
                "dd 23 33: byte 0 is dd, expected 56 (colour, white), bb (effect), cc (power), ef (status query) or fb (unlock)"
            ),
            ("56 ff 00", "56 ff 00: it has 3 bytes, expected 7 (colour or white)"),
            ("56 ff 00 00 00 00 aa", "56 ff 00 00 00 00 aa: byte 5 is 00, expected f0 (colour) or 0f (white)"),
            ("bb 39 01 44", "bb 39 01 44: byte 1 is 39, expected 25...38 or 61...63 (effect)"),
            ("bb 25 00 44", "bb 25 00 44: byte 2 is 00, expected 01...ff (speed)"),
            ("ef 01 78", "ef 01 78: byte 2 is 78, expected 77 (status query)"),
        ])
    func commandRefusal(frame: String, text: String) throws {
        let frame = try bytes(frame)
        let error = #expect(throws: FrameError.self) { try Command(decoding: frame) }
        #expect(error?.description == text)
    }

    @Test(
        "A refused report says which byte and what was expected",
        arguments: [
            ("", "empty frame: expected 66 (status) or cc (power acknowledgement)"),
            ("67 04", "67 04: byte 0 is 67, expected 66 (status) or cc (power acknowledgement)"),
            ("66 04", "66 04: it has 2 bytes, expected 12 (status) or 11 (short status)"),
            (
                "66 04 23 41 20 01 ff 00 00 00 03 98",
                "66 04 23 41 20 01 ff 00 00 00 03 98: byte 11 is 98, expected 99 (end of status)"
            ),
            ("cc 23 33", "cc 23 33: it has 3 bytes, expected 4 (power acknowledgement)"),
        ])
    func reportRefusal(frame: String, text: String) throws {
        let frame = try bytes(frame)
        let error = #expect(throws: FrameError.self) { try Report(decoding: frame) }
        #expect(error?.description == text)
    }

    @Test func aFloodOfBytesIsCut() {
        let error = #expect(throws: FrameError.self) { try Report(decoding: [UInt8](repeating: 0x66, count: 512)) }
        #expect(error?.description.utf8.count ?? .max < 160)
        #expect(error?.description.contains("it has 512 bytes") == true)
    }

    @Test func randomBytesNeverTrapAndWhatDecodesIsOfTheFamily() throws {
        var random = SeededGenerator(seed: 42)
        let heads: [UInt8] = [0x56, 0xbb, 0xcc, 0xef, 0xfb, 0x66]
        for round in 0..<50_000 {
            var frame = (0..<Int.random(in: 0...24, using: &random)).map { _ in UInt8.random(using: &random) }
            // Half of them get a head that leads deeper.
            if round.isMultiple(of: 2), !frame.isEmpty { frame[0] = heads[round / 2 % heads.count] }
            if let command = try? Command(decoding: frame) {  // most are refused, which is the point
                #expect(Frame(command).count == frame.count)
            }
            if let report = try? Report(decoding: frame) {
                switch report {
                case .status(let status): #expect(status.mode.rawValue == frame[3])
                case .powerAcknowledged(let power): #expect(power.rawValue == frame[1])
                }
            }
        }
    }

    @Test func oneChangedByteIsNeverTakenForAnotherKindOfFrame() throws {
        for vector in try Vector.all(in: "commands.json") where vector.direction == .both {
            let frame = try bytes(vector.frame)
            for offset in [0, frame.count - 1] {
                var changed = frame
                changed[offset] ^= 0x01
                #expect(throws: FrameError.self) { try Command(decoding: changed) }
            }
        }
    }
}
