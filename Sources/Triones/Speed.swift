/// How fast an effect runs: on the wire a delay, so that `0x01` is the fastest.
///
/// `0x00` cannot be held: what strips make of it is not known. Strips take values above `0x1f` (an observed frame has
/// `0x7f`), but the vendor's own range ends there, and so does the range of `percent`.
public struct Speed: Hashable, Sendable {
    public let rawValue: UInt8

    public static let fastest = Speed(delay: 0x01)
    public static let slowest = Speed(delay: 0x1f)

    /// `nil` for zero.
    public init?(rawValue: UInt8) {
        guard rawValue != 0 else { return nil }
        self.rawValue = rawValue
    }

    /// 1 is the slowest (`0x1f`) and 100 the fastest (`0x01`); `nil` outside of `1...100`.
    public init?(percent: Int) {
        guard (1...100).contains(percent) else { return nil }
        // 99 steps of percent on 30 steps of delay, to the nearest.
        rawValue = UInt8(1 + ((100 - percent) * 30 * 2 + 99) / (99 * 2))
    }

    /// The percentage in the middle of those that give this speed; 1 for anything slower than `slowest`.
    public var percent: Int {
        let delay = Int(min(rawValue, Speed.slowest.rawValue)) - 1
        return 100 - (delay * 99 * 2 + 30) / (30 * 2)
    }

    private init(delay: UInt8) { rawValue = delay }
}
