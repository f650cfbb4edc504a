public import DBus

/// One method call that a client made, with what became of it: for tests about order and restraint.
public struct RecordedCall: Sendable, CustomStringConvertible {
    public enum Outcome: Sendable, Hashable {
        case pending
        case replied
        case failed(BusError)
    }

    /// Monotonic, as the event loop counts.
    public var time: Duration
    /// The caller's unique name.
    public var sender: String
    public var path: String
    public var interface: String
    public var member: String
    public var arguments: [DBusValue]
    public var outcome = Outcome.pending
    /// When it was answered.
    public var answered: Duration?

    /// "StartDiscovery /org/bluez/hci0"
    public var description: String { "\(member) \(path)" }
}
