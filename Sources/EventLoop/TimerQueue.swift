/// Names one scheduled timer.
public struct TimerID: Hashable, Sendable {
    fileprivate let due: Duration
    fileprivate let number: UInt64
}

extension TimerID: Comparable {
    /// Earlier first; timers due at the same time fire in the order in which they were set.
    public static func < (one: TimerID, other: TimerID) -> Bool {
        (one.due, one.number) < (other.due, other.number)
    }
}

/// Timers in the order in which they are due.
struct TimerQueue {
    private var actions: [TimerID: @Sendable () -> Void] = [:]
    private var order: [TimerID] = []  // sorted, the next one last
    /// Of the newest timer.
    private(set) var lastNumber: UInt64 = 0

    var nextDue: Duration? { order.last?.due }

    mutating func insert(due: Duration, _ fire: @escaping @Sendable () -> Void) -> TimerID {
        lastNumber += 1
        let timer = TimerID(due: due, number: lastNumber)
        actions[timer] = fire
        order.insert(timer, at: place(of: timer))
        return timer
    }

    mutating func remove(_ timer: TimerID) {
        guard actions.removeValue(forKey: timer) != nil else { return }
        order.remove(at: place(of: timer))
    }

    /// The next timer that is due, unless it is newer than `limit`.
    mutating func popDue(at now: Duration, upTo limit: UInt64) -> (@Sendable () -> Void)? {
        guard let timer = order.last, timer.due <= now, timer.number <= limit else { return nil }
        order.removeLast()
        return actions.removeValue(forKey: timer)
    }

    /// Where `timer` is, or would be inserted.
    private func place(of timer: TimerID) -> Int {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if order[middle] > timer { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
