/// Why an operation on BlueZ's objects failed: what it means to us, and what BlueZ said.
public struct BlueZError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What an error means, whatever its name.
    public enum Kind: Hashable, Sendable {
        /// BlueZ is doing just that already.
        case inProgress
        case failed
        /// The adapter is off or not up yet.
        case notReady
        /// There is no link, whatever `Connected` says.
        case notConnected
        /// The object is gone, or bluetoothd went away while the call was open.
        case vanished
        case notPermitted
        case notSupported
        /// The adapter is in the middle of something, or has no room for another link.
        case busy
        /// A connection attempt ended early; trying again usually helps.
        case aborted
        /// The peer (or BlueZ in its name) answered with this ATT error code.
        case attError(UInt8)
        /// No answer came in time.
        case timeout
        /// Nobody owns `org.bluez`.
        case serviceUnknown
        case accessDenied
        /// The message bus is gone.
        case disconnected
        /// The calling task was cancelled; BlueZ may go on with what was asked.
        case cancelled
        case other
    }

    /// What it means to us.
    public let kind: Kind
    /// The D-Bus error name.
    public let name: String
    /// What BlueZ said, without the newline it sometimes ends with.
    public let message: String

    public init(kind: Kind, name: String, message: String) {
        self.kind = kind
        self.name = name
        self.message = message
    }

    public var description: String { message.isEmpty ? name : "\(name): \(message)" }
}
