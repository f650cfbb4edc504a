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
