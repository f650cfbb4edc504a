import EventLoop

/// What waits for one reader of a stream.
///
/// Events that only repeat the latest news of something (an advertisement) replace the one that still waits, so a
/// flood of them takes no more room than there are devices. All others are kept in order. A reader that falls more
/// than `limit` behind gets what waits and then the end of its stream: a gap is never hidden.
actor Mailbox<Element: Sendable, Key: Hashable & Sendable> {
    private let loop: EventLoop
    private let limit: Int
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private var queue: [(key: Key?, element: Element?)] = []  // an element that was replaced leaves a hole
    private var first = 0  // what lies before has been read
    private var places: [Key: Int] = [:]
    private var waiting = 0
    private var reader: CheckedContinuation<Result<Element?, any Error>, Never>?
    private var ending: Result<Element?, any Error>?

    init(on loop: EventLoop, limit: Int = 4096) {
        self.loop = loop
        self.limit = limit
    }

    /// Only on the loop's thread.
    ///
    /// - Parameter key: what it is the latest news of; `nil` for an event that must not be lost.
    nonisolated func put(_ element: Element, key: Key? = nil) { assumeIsolated { $0.add(element, key) } }

    /// Only on the loop's thread. What waits can still be read.
    nonisolated func finish(throwing error: (any Error)? = nil) { assumeIsolated { $0.end(error) } }

    private func add(_ element: Element, _ key: Key?) {
        guard ending == nil else { return }
        if let reader {
            self.reader = nil
            return reader.resume(returning: .success(element))
        }
        if let key, let place = places.removeValue(forKey: key) {
            queue[place] = (nil, nil)
            waiting -= 1
        }
        guard waiting < limit else { return end(nil) }
        compact()
        if let key { places[key] = queue.count }
        queue.append((key, element))
        waiting += 1
    }

    private func end(_ error: (any Error)?) {
        guard ending == nil else { return }
        let ending: Result<Element?, any Error> = error.map { .failure($0) } ?? .success(nil)
        self.ending = ending
        reader?.resume(returning: ending)
        reader = nil
    }

    /// For one reader at a time. Success with `nil` is the end; cancellation of the task is one, too.
    func next() async -> Result<Element?, any Error> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                // Looked at here and not before: on the way into the continuation others may have had their turn.
                if let element = take() {
                    reader.resume(returning: .success(element))
                } else if let ending {
                    reader.resume(returning: ending)
                } else if Task.isCancelled || self.reader != nil {
                    reader.resume(returning: .success(nil))
                } else {
                    self.reader = reader
                }
            }
        } onCancel: {
            Task(executorPreference: loop) { await self.dismiss() }
        }
    }

    private func take() -> Element? {
        while first < queue.count {
            let (key, element) = queue[first]
            queue[first] = (nil, nil)
            first += 1
            guard let element else { continue }
            if let key { places[key] = nil }
            waiting -= 1
            return element
        }
        return nil
    }

    private func dismiss() {
        reader?.resume(returning: .success(nil))
        reader = nil
    }

    /// Drops what was read and the holes, once they are most of the queue.
    private func compact() {
        guard queue.count > 2 * waiting + 64 else { return }
        queue = queue[first...].filter { $0.element != nil }
        first = 0
        places = [:]
        for (place, entry) in queue.enumerated() { if let key = entry.key { places[key] = place } }
    }
}
