/// The loop's time as a `Clock`: sleeping suspends the task and wakes nothing else up, unlike `Task.sleep`, which keeps
/// the runtime's worker pool ticking.
public struct LoopClock: Clock {
    /// A point in the loop's time.
    public struct Instant: InstantProtocol {
        let sinceStart: Duration
        public func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }
        public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
        public static func < (one: Instant, other: Instant) -> Bool { one.sinceStart < other.sinceStart }
    }

    private let loop: EventLoop
    public init(_ loop: EventLoop) { self.loop = loop }

    /// The loop's `now`.
    public var now: Instant { Instant(sinceStart: loop.now) }
    /// What `epoll_wait` counts in.
    public var minimumResolution: Duration { .milliseconds(1) }

    /// Suspends the task until `deadline`, or throws `CancellationError` once it is cancelled. Wakes up once, so that a
    /// tolerance would save nothing: it is ignored.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await loop.sleep(for: deadline.sinceStart - loop.now)
    }
}

extension EventLoop {
    /// The loop's time, for what takes any clock.
    public var clock: LoopClock { LoopClock(self) }

    /// Suspends the task until everything that is queued now has run.
    public func turn() async {
        await withCheckedContinuation { waiter in
            schedule(after: .zero) { waiter.resume() }
        }
    }

    /// Suspends the task for `duration`, or throws `CancellationError` once it is cancelled.
    public func sleep(for duration: Duration) async throws {
        try await Sleep(on: self).run(duration)
    }
}

/// One pending sleep. Confined to the loop, so that the timer and the cancellation cannot both resume it.
private actor Sleep {
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private enum State {
        case fresh
        case waiting(CheckedContinuation<Void, any Error>, TimerID)
        case done
    }
    private var state = State.fresh

    init(on loop: EventLoop) { self.loop = loop }

    func run(_ duration: Duration) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
                guard case .fresh = state else { return waiter.resume(throwing: CancellationError()) }
                let timer = loop.schedule(after: duration) { self.assumeIsolated { $0.end(.success(())) } }
                state = .waiting(waiter, timer)
            }
        } onCancel: {
            Task(executorPreference: loop) { await self.end(.failure(CancellationError())) }
        }
    }

    private func end(_ result: Result<Void, any Error>) {
        if case .waiting(let waiter, let timer) = state {
            loop.cancel(timer)
            waiter.resume(with: result)
        }
        state = .done
    }
}
