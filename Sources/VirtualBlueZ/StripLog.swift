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

public struct ReceivedFrame: Sendable, Hashable, CustomStringConvertible {
    public enum WriteType: Sendable, Hashable { case request, command }

    public var bytes: [UInt8]
    public var type: WriteType
    /// The strip did nothing about it: unknown, or a quirk, or a kind of write that it does not take.
    public var ignored: Bool

    /// "56 ff 88 00 00 f0 aa"
    public var description: String { hex(bytes) }
}

/// Keeps the newest entries and hands each to those who watch.
struct Log<Entry: Sendable> {
    private(set) var entries: [Entry] = []
    private var watchers: [Int: AsyncStream<Entry>.Continuation] = [:]
    private var lastWatcher = 0
    /// Entries that are no longer kept.
    private(set) var dropped = 0
    private let limit = 20_000

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        if entries.count > limit {
            entries.removeFirst(limit / 4)
            dropped += limit / 4
        }
        for watcher in watchers.values { watcher.yield(entry) }
    }

    /// Changes an entry in place; `number` counts from the first that ever was. Watchers are not told.
    mutating func update(_ number: Int, _ change: (inout Entry) -> Void) {
        let index = number - dropped
        if entries.indices.contains(index) { change(&entries[index]) }
    }

    var count: Int { dropped + entries.count }

    /// Everything kept so far, then what follows. Unbounded: for tests, which read what they cause.
    mutating func stream() -> (number: Int, stream: AsyncStream<Entry>, AsyncStream<Entry>.Continuation) {
        let (stream, sink) = AsyncStream.makeStream(of: Entry.self)
        for entry in entries { sink.yield(entry) }
        lastWatcher += 1
        watchers[lastWatcher] = sink
        return (lastWatcher, stream, sink)
    }

    mutating func forget(_ watcher: Int) { watchers[watcher] = nil }
}
