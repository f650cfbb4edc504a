/// What happened at one strip, in order, readable at once and as a stream.
public struct StripLogEntry: Sendable, Hashable {
    public enum Event: Sendable, Hashable {
        /// A link came up or ended.
        case linked, unlinked
        /// BlueZ asked for notifications, or no longer wants them.
        case subscribed, unsubscribed
        /// Bytes were written to FFD9 (or FFE9).
        case frame(ReceivedFrame)
        /// The strip sent this, or would have.
        case notified([UInt8], Delivery)
    }

    public enum Delivery: Sendable, Hashable { case sent, notSubscribed, swallowed, noLink }

    /// Monotonic, as the event loop counts.
    public var time: Duration
    public var event: Event
}

/// What was written to a strip at once, and how.
public struct ReceivedFrame: Sendable, Hashable, CustomStringConvertible {
    public enum WriteType: Sendable, Hashable { case request, command }

    public var bytes: [UInt8]
    public var type: WriteType
    /// The strip did nothing about it: unknown, or a quirk, or a kind of write that it does not take.
    public var ignored: Bool

    /// "56 ff 88 00 00 f0 aa"
    public var description: String { hex(bytes) }
}
