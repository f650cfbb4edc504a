public import EventLoop
public import StripModel

/// Tells every subscriber what changed. For each it keeps the *set* of strips that changed since it last looked, not a
/// queue: a slow one misses steps on the way and still gets every strip's last state.
public actor EventHub {
    private let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private var strips: [BluetoothAddress: StripView] = [:]
    private var adapters: [String: AdapterView] = [:]
    private var subscribers: [UInt64: Subscriber] = [:]
    private var lastID: UInt64 = 0
    private var isFinished = false

    private struct Subscriber {
        var wantsSnapshot = true
        var changed: [Key] = []  // in the order in which they first changed
        var waiter: CheckedContinuation<StripEvent?, Never>?
    }

    private enum Key: Hashable {
        case strip(BluetoothAddress)
        case adapter(String)
    }

    public init(on loop: EventLoop) { self.loop = loop }

    public var subscriberCount: Int { subscribers.count }

    // MARK: Telling

    func post(_ strip: StripView) {
        strips[strip.id] = strip
        touch(.strip(strip.id))
    }

    func remove(_ address: BluetoothAddress) {
        guard strips.removeValue(forKey: address) != nil else { return }
        touch(.strip(address))
    }

    func post(_ adapter: AdapterView) {
        guard adapters[adapter.name] != adapter else { return }
        adapters[adapter.name] = adapter
        touch(.adapter(adapter.name))
    }

    /// Ends every subscription.
    public func finish() {
        isFinished = true
        for id in subscribers.keys { subscribers[id]?.waiter?.resume(returning: nil) }
        subscribers = [:]
    }

    private func touch(_ key: Key) {
        for id in subscribers.keys {
            if subscribers[id]?.changed.contains(key) == false { subscribers[id]?.changed.append(key) }
            if let waiter = subscribers[id]?.waiter, let event = take(id) {
                subscribers[id]?.waiter = nil
                waiter.resume(returning: event)
            }
        }
    }

    // MARK: Listening

    /// A snapshot of all strips, then each change. Ends with the hub; dropping it unsubscribes.
    public func subscribe() -> StripEvents {
        lastID += 1
        if !isFinished { subscribers[lastID] = Subscriber() }
        return StripEvents(token: Subscription(id: lastID, hub: self, loop: loop))
    }

    fileprivate func next(_ id: UInt64) async -> StripEvent? {
        guard subscribers[id] != nil else { return nil }
        if let event = take(id) { return event }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                if Task.isCancelled { return waiter.resume(returning: nil) }
                subscribers[id]?.waiter = waiter
            }
        } onCancel: {
            Task(executorPreference: loop) { await self.unsubscribe(id) }
        }
    }

    fileprivate func unsubscribe(_ id: UInt64) {
        subscribers.removeValue(forKey: id)?.waiter?.resume(returning: nil)
    }

    private func take(_ id: UInt64) -> StripEvent? {
        guard var subscriber = subscribers[id] else { return nil }
        defer { subscribers[id] = subscriber }
        if subscriber.wantsSnapshot {
            subscriber.wantsSnapshot = false
            subscriber.changed = adapters.keys.sorted().map { .adapter($0) }
            return .snapshot(strips.values.sorted { $0.id < $1.id })
        }
        guard !subscriber.changed.isEmpty else { return nil }
        switch subscriber.changed.removeFirst() {
        case .strip(let address): return strips[address].map { .strip($0) } ?? .removed(address)
        case .adapter(let name): return adapters[name].map { .adapter($0) }
        }
    }
}

/// One subscriber's events: a snapshot, then what changed, each strip's latest state once.
public struct StripEvents: AsyncSequence, Sendable {
    public typealias Failure = Never
    fileprivate let token: Subscription

    public func makeAsyncIterator() -> Iterator { Iterator(token: token) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let token: Subscription
        public mutating func next() async -> StripEvent? { await token.hub.next(token.id) }
        public mutating func next(isolation actor: isolated (any Actor)?) async -> StripEvent? {
            await token.hub.next(token.id)
        }
    }
}

/// Unsubscribes when the last reference goes.
private final class Subscription: Sendable {
    let id: UInt64
    let hub: EventHub
    let loop: EventLoop

    init(id: UInt64, hub: EventHub, loop: EventLoop) { (self.id, self.hub, self.loop) = (id, hub, loop) }

    deinit {
        let (id, hub) = (id, hub)
        Task(executorPreference: loop) { await hub.unsubscribe(id) }
    }
}
