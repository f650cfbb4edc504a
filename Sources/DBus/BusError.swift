import CDBus

/// An error reply to a method call, or the reason why a call could not be made.
public struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error's D-Bus name, as in `org.bluez.Error.Failed`.
    public var name: String
    /// What the sender says about it; may be empty.
    public var message: String

    public init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    public var description: String { message.isEmpty ? name : "\(name): \(message)" }
}

extension BusError {
    /// The bus went away, or `close()` was called.
    public static func disconnected(_ message: String) -> BusError {
        BusError(name: DBUS_ERROR_DISCONNECTED, message: message)
    }
    /// Refused before it reached libdbus, which would have ended the process.
    public static func invalidArguments(_ message: String) -> BusError {
        BusError(name: DBUS_ERROR_INVALID_ARGS, message: message)
    }
    static let outOfMemory = BusError(name: DBUS_ERROR_NO_MEMORY, message: "libdbus is out of memory")

    /// The bus is gone.
    public var isDisconnected: Bool { name == DBUS_ERROR_DISCONNECTED }
    /// No reply came in time.
    public var isTimeout: Bool { name == DBUS_ERROR_NO_REPLY || name == DBUS_ERROR_TIMEOUT }
}
