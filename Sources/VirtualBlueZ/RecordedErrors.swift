import DBus

/// bluetoothd's errors, word for word.
extension BusError {
    static let notReady = bluez("NotReady", "Resource Not Ready")
    static let inProgress = bluez("InProgress", "In Progress")
    static let discoveryInProgress = bluez("InProgress", "Operation already in progress")
    static let noDiscovery = failed("No discovery started")
    static let busy = bluez("Busy", "")
    static let doesNotExist = bluez("DoesNotExist", "Does Not Exist")
    static let invalidArguments = bluez("InvalidArguments", "Invalid arguments in method call")
    static let alreadyInProgress = failed("Operation already in progress")
    static let abortedByLocal = failed("le-connection-abort-by-local")
    static let canceled = failed("br-connection-canceled")
    static let connectionUnknown = failed("le-connection-unknown")
    static let notConnected = failed("Not connected")
    static let notSupported = bluez("NotSupported", "Operation is not supported")
    static let writeNotPermitted = bluez("NotPermitted", "Write not permitted")
    static let readNotPermitted = bluez("NotPermitted", "Read not permitted")
    static let writeNotInitiated = failed("Failed to initiate write")
    static let noNotifySession = failed("No notify session started")
    static let accessDenied = BusError(
        name: "org.freedesktop.DBus.Error.AccessDenied",
        message: "Rejected send message, 1 matched rules; type=\"method_call\", destination=\"org.bluez\"")

    static func failed(_ message: String) -> BusError { bluez("Failed", message) }

    static func attribute(_ code: UInt8) -> BusError {
        code == 0x03 ? writeNotPermitted : failed("Operation failed with ATT error: 0x\(hex(code))")
    }

    static func unknownObject(_ call: MethodCall) -> BusError { unknown("UnknownObject", call) }
    static func unknownMethod(_ call: MethodCall) -> BusError { unknown("UnknownMethod", call) }

    private static func unknown(_ name: String, _ call: MethodCall) -> BusError {
        let signature = call.arguments.map(\.signature).joined()
        return BusError(
            name: "org.freedesktop.DBus.Error." + name,
            message: "Method \"\(call.member)\" with signature \"\(signature)\" on interface \"\(call.interface)\" "
                + "doesn't exist\n")
    }

    private static func bluez(_ name: String, _ message: String) -> BusError {
        BusError(name: "org.bluez.Error." + name, message: message)
    }
}
