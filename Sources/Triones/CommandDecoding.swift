/// The way back from bytes to a command: for dry runs, logs and tests.
extension Command {
    /// The inverse of `Frame(_:)`, and strict: lengths, first and last bytes and all values have to be right.
    ///
    /// Two things that strips ignore are ignored here too: the colour bytes of a frame for the white channel, and the
    /// white byte of a frame for the colour channels (vectors `white lowest, junk in the colour bytes` and
    /// `red, a constant in the white byte`).
    public init(decoding frame: [UInt8]) throws(FrameError) {
        self = try Command(decoding: frame.span)
    }

    public init(decoding frame: Span<UInt8>) throws(FrameError) {
        guard frame.count > 0 else { throw frame.wrongLength(heads) }
        switch frame[0] {
        case FrameLayout.powerHead: self = try Command(power: frame)
        case FrameLayout.lightHead: self = try Command(light: frame)
        case FrameLayout.effectHead: self = try Command(effect: frame)
        case FrameLayout.query[0]:
            try frame.require(length: FrameLayout.query.count, "status query")
            for index in FrameLayout.query.indices {
                try frame.require(FrameLayout.query[index], at: index, "status query")
            }
            self = .queryStatus
        case FrameLayout.unlock[0]:
            try frame.require(length: FrameLayout.unlock.count, "unlock")
            for index in FrameLayout.unlock.indices {
                try frame.require(FrameLayout.unlock[index], at: index, "unlock")
            }
            self = .unlock
        default: throw frame.wrongByte(0, heads)
        }
    }

    private init(power frame: Span<UInt8>) throws(FrameError) {
        try frame.require(length: 3, "power")
        guard let power = Power(rawValue: frame[1]) else { throw frame.wrongByte(1, "23 (on) or 24 (off)") }
        try frame.require(FrameLayout.powerTail, at: 2, "end of power")
        self = .power(power)
    }

    private init(light frame: Span<UInt8>) throws(FrameError) {
        try frame.require(length: 7, "colour or white")
        try frame.require(FrameLayout.lightTail, at: 6, "end of colour or white")
        switch frame[5] {
        case FrameLayout.colorMask: self = .color(red: frame[1], green: frame[2], blue: frame[3])
        case FrameLayout.whiteMask: self = .white(frame[4])
        default: throw frame.wrongByte(5, "f0 (colour) or 0f (white)")
        }
    }

    private init(effect frame: Span<UInt8>) throws(FrameError) {
        try frame.require(length: 4, "effect")
        guard let code = EffectCode(rawValue: frame[1]) else { throw frame.wrongByte(1, "25...38 or 61...63 (effect)") }
        guard let speed = Speed(rawValue: frame[2]) else { throw frame.wrongByte(2, "01...ff (speed)") }
        try frame.require(FrameLayout.effectTail, at: 3, "end of effect")
        self = .effect(code, speed)
    }
}

private let heads = "56 (colour, white), bb (effect), cc (power), ef (status query) or fb (unlock)"
