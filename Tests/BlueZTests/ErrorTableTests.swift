import DBus
import Testing

@testable import BlueZ

struct ErrorTableTests {
    @Test(
        "users.md 20, 30, 31, 32, 54, 56, 60, 71, 72: what BlueZ's errors mean",
        arguments: [
            ("org.bluez.Error.Failed", "Operation already in progress", .inProgress),
            ("org.bluez.Error.InProgress", "Operation already in progress", .inProgress),
            ("org.bluez.Error.InProgress", "In Progress", .inProgress),
            ("org.bluez.Error.NotReady", "Resource Not Ready", .notReady),
            ("org.bluez.Error.Failed", "Not connected", .notConnected),
            ("org.bluez.Error.Failed", "Not Connected", .notConnected),
            ("org.bluez.Error.NotConnected", "Not Connected", .notConnected),
            ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0e", .attError(0x0E)),
            ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x80", .attError(0x80)),
            ("org.bluez.Error.Failed", "Operation failed with ATT error: 0xzz", .failed),
            ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x1ff", .failed),
            ("org.bluez.Error.Failed", "Failed to initiate write", .failed),
            ("org.bluez.Error.Failed", "No discovery started", .failed),
            ("org.bluez.Error.Failed", "No notify session started", .failed),
            ("org.bluez.Error.Failed", "", .failed),
            ("org.bluez.Error.Failed", "le-connection-abort-by-local", .aborted),
            ("org.bluez.Error.Failed", "le-connection-abort-by-remote", .aborted),
            ("org.bluez.Error.Failed", "le-connection-create-socket", .aborted),
            ("org.bluez.Error.Failed", "br-connection-canceled", .aborted),
            ("org.bluez.Error.Failed", "br-connection-page-timeout", .timeout),
            ("org.bluez.Error.Failed", "le-connection-concurrent-connection-limit", .busy),
            ("org.bluez.Error.Failed", "br-connection-adapter-not-powered", .notReady),
            ("org.bluez.Error.Failed", "Software caused connection abort", .aborted),
            ("org.bluez.Error.Failed", "Connection refused", .aborted),
            ("org.bluez.Error.Failed", "Input/output error", .aborted),
            ("org.bluez.Error.ConnectionAttemptFailed", "Page Timeout", .aborted),
            ("org.bluez.Error.NotPermitted", "Write acquired", .notPermitted),
            ("org.bluez.Error.NotPermitted", "Write not permitted", .notPermitted),
            ("org.bluez.Error.NotSupported", "Operation is not supported", .notSupported),
            ("org.bluez.Error.Busy", "", .busy),
            ("org.bluez.Error.DoesNotExist", "Does Not Exist", .vanished),
            (
                "org.freedesktop.DBus.Error.UnknownObject",
                "Method \"Connect\" with signature \"\" on interface \"org.bluez.Device1\" doesn't exist\n", .vanished
            ),
            ("org.freedesktop.DBus.Error.UnknownMethod", "", .vanished),
            ("org.freedesktop.DBus.Error.AccessDenied", "Rejected send message", .accessDenied),
            ("org.freedesktop.DBus.Error.ServiceUnknown", "The name org.bluez was not provided", .serviceUnknown),
            ("org.freedesktop.DBus.Error.NameHasNoOwner", "", .serviceUnknown),
            ("org.freedesktop.DBus.Error.Spawn.ChildExited", "Process org.bluez exited with status 1", .serviceUnknown),
            ("org.freedesktop.DBus.Error.NoReply", "Did not receive a reply.", .timeout),
            (
                "org.freedesktop.DBus.Error.NoReply",
                "Message recipient disconnected from message bus without replying", .vanished
            ),
            ("org.freedesktop.DBus.Error.Disconnected", "the bus went away", .disconnected),
            ("com.example.Error", "Not connected", .other),
        ] as [(String, String, BlueZError.Kind)])
    func meaning(name: String, text: String, kind: BlueZError.Kind) {
        #expect(BlueZError(BusError(name: name, message: text)).kind == kind)
    }

    @Test func aTrailingNewlineIsNotPartOfTheMessage() {
        let error = BlueZError(BusError(name: "org.freedesktop.DBus.Error.UnknownObject", message: "no such\n"))
        #expect(error.description == "org.freedesktop.DBus.Error.UnknownObject: no such")
    }
}
