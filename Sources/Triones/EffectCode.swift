/// The number of a program that is built into the strips: `0x25...0x38` and `0x61...0x63`.
///
/// No other code is sent: what strips make of one is not known.
public struct EffectCode: Hashable, Sendable, CaseIterable {
    public let rawValue: UInt8

    /// `nil` for a code that no strip of the family is known to have.
    public init?(rawValue: UInt8) {
        guard (0x25...0x38).contains(rawValue) || (0x61...0x63).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    public static let allCases: [EffectCode] = [0x25...0x38, 0x61...0x63].joined().compactMap(EffectCode.init)
}
