/// What a frame written to a strip means, read byte by byte: on purpose not with `Triones`, which writes them.
enum FrameMeaning: Hashable, Sendable {
    case power(on: Bool)
    case color(red: UInt8, green: UInt8, blue: UInt8)
    case white(UInt8)
    case effect(code: UInt8, speed: UInt8)
    case statusQuery
    case unlock
    case clock([UInt8])
    case clockQuery
    case timerQuery

    /// `nil`: the firmware knows no such frame and ignores it.
    init?(_ frame: [UInt8]) {
        switch (frame.first, frame.count) {
        case (0xCC, 3):
            guard frame[2] == 0x33, frame[1] == 0x23 || frame[1] == 0x24 else { return nil }
            self = .power(on: frame[1] == 0x23)
        case (0x56, 7):
            guard frame[6] == 0xAA else { return nil }
            switch frame[5] {
            case 0xF0: self = .color(red: frame[1], green: frame[2], blue: frame[3])
            case 0x0F: self = .white(frame[4])
            default: return nil
            }
        case (0xBB, 4):
            guard frame[3] == 0x44, Self.isEffect(frame[1]) else { return nil }
            self = .effect(code: frame[1], speed: frame[2])
        case (0xEF, 3):
            guard frame == [0xEF, 0x01, 0x77] else { return nil }
            self = .statusQuery
        case (0xFB, 18):
            guard frame[17] == 0xFA else { return nil }
            self = .unlock
        case (0x10, 11):
            guard frame[9] == 0x00, frame[10] == 0x01 else { return nil }
            self = .clock([UInt8](frame[1...8]))
        case (0x12, 4):
            guard frame == [0x12, 0x1A, 0x1B, 0x21] else { return nil }
            self = .clockQuery
        case (0x24, 4):
            guard frame == [0x24, 0x2A, 0x2B, 0x42] else { return nil }
            self = .timerQuery
        default: return nil
        }
    }

    static func isEffect(_ code: UInt8) -> Bool { (0x25...0x38).contains(code) || (0x61...0x63).contains(code) }
}
