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
        var waiter: CheckedContinuation<HubEvent?, Never>?
        var pause: TimerID?
    }

    private enum Key: Hashable {
        case strip(BluetoothAddress)
        case adapter(String)
    }

    public init(on loop: EventLoop) { self.loop = loop }

    /// Of `subscribe` streams that have not ended.
    public var subscriberCount: Int { subscribers.count }

    // MARK: Telling

    func post(_ strip: StripView) {
        let former = strips.updateValue(strip, forKey: strip.id)
        if former?.saysTheSame(as: strip) != true { touch(.strip(strip.id)) }
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
        for id in subscribers.keys { unsubscribe(id) }
    }

    private func touch(_ key: Key) {
        for id in subscribers.keys {
            if subscribers[id]?.changed.contains(key) == false { subscribers[id]?.changed.append(key) }
            if subscribers[id]?.waiter != nil, let event = take(id) { answer(id, .event(event)) }
        }
    }

    // MARK: Listening

    /// A snapshot of all strips, then each change. Ends with the hub; dropping it unsubscribes.
    ///
    /// - Parameter pause: after this long without a change `.quiet` comes.
    public func subscribe(pause: Duration = .seconds(15)) -> HubEvents {
        lastID += 1
        if !isFinished { subscribers[lastID] = Subscriber() }
        return HubEvents(token: Subscription(id: lastID, hub: self, pause: pause, loop: loop))
    }

    fileprivate func next(_ id: UInt64, pause: Duration) async -> HubEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                // Asked in here: between a look outside and the wait another job of this actor may run.
                guard let subscriber = subscribers[id], subscriber.waiter == nil, !Task.isCancelled else {
                    return waiter.resume(returning: nil)
                }
                if let event = take(id) { return waiter.resume(returning: .event(event)) }
                subscribers[id]?.waiter = waiter
                subscribers[id]?.pause = loop.schedule(after: pause) { [weak self] in
                    self?.assumeIsolated { $0.answer(id, .quiet) }
                }
            }
        } onCancel: {
            Task(executorPreference: loop) { await self.unsubscribe(id) }
        }
    }

    private func answer(_ id: UInt64, _ event: HubEvent) {
        guard let waiter = subscribers[id]?.waiter else { return }
        if let pause = subscribers[id]?.pause { loop.cancel(pause) }
        subscribers[id]?.waiter = nil
        waiter.resume(returning: event)
    }

    fileprivate func unsubscribe(_ id: UInt64) {
        guard let subscriber = subscribers.removeValue(forKey: id) else { return }
        if let pause = subscriber.pause { loop.cancel(pause) }
        subscriber.waiter?.resume(returning: nil)
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

/// What a subscriber reads.
public enum HubEvent: Hashable, Sendable {
    case event(StripEvent)
    /// Nothing changed for a while.
    case quiet
}

/// One subscriber's events: a snapshot, then what changed, each strip's latest state once.
public struct HubEvents: AsyncSequence, Sendable {
    public typealias Failure = Never
    fileprivate let token: Subscription

    public func makeAsyncIterator() -> Iterator { Iterator(token: token) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let token: Subscription
        public mutating func next() async -> HubEvent? { await token.next() }
        public mutating func next(isolation actor: isolated (any Actor)?) async -> HubEvent? { await token.next() }
    }
}

/// Unsubscribes when the last reference goes.
private final class Subscription: Sendable {
    private let id: UInt64
    private let hub: EventHub
    private let pause: Duration
    private let loop: EventLoop

    init(id: UInt64, hub: EventHub, pause: Duration, loop: EventLoop) {
        (self.id, self.hub, self.pause, self.loop) = (id, hub, pause, loop)
    }

    func next() async -> HubEvent? { await hub.next(id, pause: pause) }

    deinit {
        let (id, hub) = (id, hub)
        Task(executorPreference: loop) { await hub.unsubscribe(id) }
    }
}
