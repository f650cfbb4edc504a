/// The bytes of one write to a strip, held inline: making one allocates nothing.
///
/// No frame exceeds 20 bytes, which is what one write carries on a link with the smallest MTU.
public struct Frame: Hashable, Sendable, CustomStringConvertible {
    private var storage = InlineArray<20, UInt8>(repeating: 0)
    private var length: UInt8 = 0

    public init(_ command: Command) {
        switch command {
        case .power(let power):
            append(FrameLayout.powerHead)
            append(power.rawValue)
            append(FrameLayout.powerTail)
        case .color(let red, let green, let blue):
            appendLight(red, green, blue, white: 0, mask: FrameLayout.colorMask)
        case .white(let level):
            appendLight(0, 0, 0, white: level, mask: FrameLayout.whiteMask)
        case .effect(let code, let speed):
            append(FrameLayout.effectHead)
            append(code.rawValue)
            append(speed.rawValue)
            append(FrameLayout.effectTail)
        case .queryStatus:
            for index in FrameLayout.query.indices { append(FrameLayout.query[index]) }
        case .unlock:
            for index in FrameLayout.unlock.indices { append(FrameLayout.unlock[index]) }
        }
    }

    public var count: Int { Int(length) }

    /// The byte at `index`, which must be below `count`.
    public subscript(index: Int) -> UInt8 {
        precondition(index < count, "a frame of \(count) bytes has no byte \(index)")
        return storage[index]
    }

    /// A copy as an array, for what takes arrays.
    public var bytes: [UInt8] { (0..<count).map { storage[$0] } }

    /// As in the golden vectors: `56 ff 88 00 00 f0 aa`.
    public var description: String { hexText(bytes) }

    public static func == (one: Frame, other: Frame) -> Bool {
        one.length == other.length && (0..<one.count).allSatisfy { one.storage[$0] == other.storage[$0] }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(length)
        for index in 0..<count { hasher.combine(storage[index]) }
    }

    private mutating func append(_ byte: UInt8) {
        storage[Int(length)] = byte
        length += 1
    }

    private mutating func appendLight(_ red: UInt8, _ green: UInt8, _ blue: UInt8, white: UInt8, mask: UInt8) {
        append(FrameLayout.lightHead)
        append(red)
        append(green)
        append(blue)
        append(white)
        append(mask)
        append(FrameLayout.lightTail)
    }
}

/// Two lower-case digits, as everywhere in the vectors.
func hexText(_ byte: UInt8) -> String {
    (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
}

func hexText(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { hexText($0) }.joined(separator: " ")
}
