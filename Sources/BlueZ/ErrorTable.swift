import DBus

// What BlueZ's and the bus's errors mean. Names say little: most failures are `org.bluez.Error.Failed`, so the text
// decides there. Protocol/bluez.md has the same table in words.

extension BlueZError {
    init(_ error: BusError) {
        let message = error.message.trimmingTrailingWhitespace()
        self.init(kind: Kind(name: error.name, text: message), name: error.name, message: message)
    }

    static func vanished(_ what: String) -> BlueZError {
        BlueZError(kind: .vanished, name: "org.freedesktop.DBus.Error.UnknownObject", message: what)
    }
    static func absent() -> BlueZError {
        BlueZError(
            kind: .serviceUnknown, name: "org.freedesktop.DBus.Error.ServiceUnknown",
            message: "bluetoothd is not running")
    }
    static func noBus(_ why: String) -> BlueZError {
        BlueZError(kind: .disconnected, name: "org.freedesktop.DBus.Error.Disconnected", message: why)
    }
    static func cancelled() -> BlueZError {
        BlueZError(kind: .cancelled, name: "org.freedesktop.DBus.Error.Failed", message: "no longer wanted")
    }
}

extension BlueZError.Kind {
    /// - Parameter text: without trailing white space.
    init(name: String, text: String) {
        if let known = Self.byName[name] {
            self = known
        } else if name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") {
            self = .serviceUnknown
        } else if name == "org.freedesktop.DBus.Error.NoReply" {
            // The bus answers for a callee that left it; our own time-outs have the same name.
            self = text.contains("disconnected from message bus") ? .vanished : .timeout
        } else if name.hasPrefix("org.bluez.Error.") {
            self = Self.fromText(text.lowercased())
        } else {
            self = .other
        }
    }

    private static let byName: [String: Self] = [
        "org.bluez.Error.InProgress": .inProgress,
        "org.bluez.Error.NotReady": .notReady,
        "org.bluez.Error.NotConnected": .notConnected,
        "org.bluez.Error.DoesNotExist": .vanished,
        "org.bluez.Error.NotPermitted": .notPermitted,
        "org.bluez.Error.NotAuthorized": .notPermitted,
        "org.bluez.Error.NotSupported": .notSupported,
        "org.bluez.Error.Busy": .busy,
        "org.bluez.Error.ConnectionAttemptFailed": .aborted,
        "org.freedesktop.DBus.Error.UnknownObject": .vanished,
        "org.freedesktop.DBus.Error.UnknownInterface": .vanished,
        "org.freedesktop.DBus.Error.UnknownMethod": .vanished,
        "org.freedesktop.DBus.Error.ServiceUnknown": .serviceUnknown,
        "org.freedesktop.DBus.Error.NameHasNoOwner": .serviceUnknown,
        "org.freedesktop.DBus.Error.AccessDenied": .accessDenied,
        "org.freedesktop.DBus.Error.AuthFailed": .accessDenied,
        "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired": .accessDenied,
        "org.freedesktop.DBus.Error.Timeout": .timeout,
        "org.freedesktop.DBus.Error.TimedOut": .timeout,
        "org.freedesktop.DBus.Error.Disconnected": .disconnected,
        "org.freedesktop.DBus.Error.LimitsExceeded": .busy,
    ]

    private static func fromText(_ text: String) -> Self {
        let attError = "operation failed with att error: 0x"
        if text.hasPrefix(attError), let code = UInt8(text.dropFirst(attError.count), radix: 16) {
            return .attError(code)
        }
        for prefix in ["le-connection-", "br-connection-"] where text.hasPrefix(prefix) {
            return byConnectionText[String(text.dropFirst(prefix.count))] ?? .aborted
        }
        return byText.first { text.hasPrefix($0.text) }?.kind ?? .failed
    }

    /// Texts of a connection attempt that ended, less the bearer in front; all others are `aborted`.
    private static let byConnectionText: [String: Self] = [
        "adapter-not-powered": .notReady,
        "already-connected": .inProgress,
        "busy": .busy,
        "concurrent-connection-limit": .busy,
        "not-supported": .notSupported,
        "page-timeout": .timeout,
        "timeout": .timeout,
    ]

    /// Lower case; the text begins with it. Some are `strerror`'s, passed on by BlueZ.
    private static let byText: [(text: String, kind: Self)] = [
        ("not connected", .notConnected),
        ("transport endpoint is not connected", .notConnected),
        ("operation already in progress", .inProgress),
        ("in progress", .inProgress),
        ("resource not ready", .notReady),
        ("device or resource busy", .busy),
        ("too many links", .busy),
        ("connection timed out", .timeout),
        ("software caused connection abort", .aborted),
        ("connection refused", .aborted),
        ("connection reset by peer", .aborted),
        ("connection attempt failed", .aborted),
        ("input/output error", .aborted),
        ("operation canceled", .aborted),
        ("host is down", .aborted),
        ("no route to host", .aborted),
        ("page timeout", .timeout),
    ]
}

extension String {
    func trimmingTrailingWhitespace() -> String {
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[...last])
    }
}
