/// What a strip says: one notification of `FFD4` or `FFE4`.
public enum Report: Hashable, Sendable {
    case status(Status)
    /// Some strips answer a power frame with four bytes.
    case powerAcknowledged(Power)

    public init(decoding bytes: [UInt8]) throws(FrameError) {
        self = try Report(decoding: bytes.span)
    }

    /// Strict, but for two tolerances (vectors `short report` and `power acknowledged`): a report of 11 bytes, which lacks
    /// the version, and the last two bytes of an acknowledgement, which are free.
    public init(decoding bytes: Span<UInt8>) throws(FrameError) {
        guard bytes.count > 0 else { throw bytes.wrongLength(heads) }
        switch bytes[0] {
        case FrameLayout.statusHead: self = .status(try Status(decoding: bytes))
        case FrameLayout.powerHead:
            try bytes.require(length: 4, "power acknowledgement")
            guard let power = Power(rawValue: bytes[1]) else { throw bytes.wrongByte(1, "23 (on) or 24 (off)") }
            self = .powerAcknowledged(power)
        default: throw bytes.wrongByte(0, heads)
        }
    }
}

extension Status {
    init(decoding bytes: Span<UInt8>) throws(FrameError) {
        guard bytes.count == 12 || bytes.count == 11 else {
            throw bytes.wrongLength("12 (status) or 11 (short status)")
        }
        let last = bytes.count - 1
        guard bytes[last] == FrameLayout.statusTail else { throw bytes.wrongByte(last, "99 (end of status)") }
        self.init(
            model: bytes[1], power: Power(rawValue: bytes[2]), mode: Mode(rawValue: bytes[3]), speed: bytes[5],
            red: bytes[6], green: bytes[7], blue: bytes[8], white: bytes[9], version: last == 11 ? bytes[10] : nil)
    }
}

private let heads = "66 (status) or cc (power acknowledgement)"
