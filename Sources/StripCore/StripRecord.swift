import StripModel

/// What is kept of a strip over a restart.
struct StripRecord: Codable, Hashable, Sendable {
    var address: BluetoothAddress
    var alias: Alias?
    /// What it calls itself.
    var name: String?
    /// `nil` until the strip was told or asked something.
    var look: Look?
    var hasWhiteChannel: Bool
    /// Byte 1 of its reports.
    var model: UInt8?
}
