import Testing
import Triones

/// Reports: what is judged, and what is left as it came.
@Suite struct ReportTests {
    @Test("users.md 64: any model and any version is read alike", arguments: UInt8.min...UInt8.max)
    func anyModelAndVersion(value: UInt8) throws {
        let report = try Report(decoding: [0x66, value, 0x23, 0x41, 0x20, 0x01, 0xff, 0, 0, 0, value, 0x99])
        guard case .status(let status) = report else { Issue.record("\(report)"); return }
        #expect(status.model == value)
        #expect(status.version == value)
        #expect(status.power == .on)
    }

    @Test("users.md 63: a power byte that says neither is unknown", arguments: UInt8.min...UInt8.max)
    func powerByte(value: UInt8) throws {
        let report = try Report(decoding: [0x66, 0x04, value, 0x41, 0x20, 0x01, 0xff, 0, 0, 0, 0x03, 0x99])
        guard case .status(let status) = report else { Issue.record("\(report)"); return }
        #expect(status.power == (value == 0x23 ? .on : value == 0x24 ? .off : nil))
    }

    @Test("users.md 104: a mode without a name keeps its byte", arguments: UInt8.min...UInt8.max)
    func modeByte(value: UInt8) {
        let mode = Mode(rawValue: value)
        #expect(mode.rawValue == value)
        switch value {
        case 0x41: #expect(mode == .still)
        case 0x25...0x38, 0x61...0x63: #expect(mode == EffectCode(rawValue: value).map(Mode.effect))
        default: #expect(mode == .other(value))
        }
    }
}
