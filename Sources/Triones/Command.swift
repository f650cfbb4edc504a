/// What a strip can be told in one frame.
public enum Command: Hashable, Sendable {
    case power(Power)
    /// Colour by the three colour channels; the white channel stays out of it.
    case color(red: UInt8, green: UInt8, blue: UInt8)
    /// Light by the white channel alone, `0xff` brightest.
    case white(UInt8)
    case effect(EffectCode, Speed)
    /// Asks for a `Report.status`.
    case queryStatus
    /// Wakes the few strips that are deaf until they have heard it (names `AP-...`).
    case unlock
}

/// Whether the light is on, with the byte that says so in commands and in reports.
public enum Power: UInt8, Hashable, Sendable, CaseIterable {
    case on = 0x23
    case off = 0x24
}
