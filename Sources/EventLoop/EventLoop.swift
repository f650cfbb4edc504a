import CLinux
import Glibc
import Synchronization

/// One thread that does everything: it runs actor jobs, descriptor handlers and timers, and sleeps in `epoll_wait`
/// when there is nothing to do. An idle loop never wakes up.
///
/// `enqueue` and `stop` may be called from any thread. Everything else belongs to the loop's own thread (checked),
/// that is, to an actor that uses this loop as its executor or to a task started with `executorPreference: loop`.
public final class EventLoop: SerialExecutor, TaskExecutor {
    private struct Inbox {
        var jobs: [UnownedJob] = []
        var asleep = false
        var stopping = false
    }

    private let epoll: Int32
    private let wake: Int32
    private let inbox = Locked(Inbox())
    private let thread = Atomic<UInt>(0)  // pthread_t of the loop, 0 before it runs
    // Sound because only the loop's thread touches these: every method that does calls `checkIsolated` first.
    nonisolated(unsafe) private var watches = WatchTable()
    nonisolated(unsafe) private var timers = TimerQueue()

    /// Starts the thread, which keeps the loop alive until `stop()`.
    ///
    /// - Parameter name: shown by `ps -L`; the first 15 bytes count.
    public init(name: String) throws(Errno) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wake = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard epoll >= 0, wake >= 0 else { throw Errno.last }
        control(EPOLL_CTL_ADD, wake, .readable, tag: WatchTable.wakeTag)
        var id = pthread_t()
        let me = Unmanaged.passRetained(self)
        let failed = pthread_create(
            &id, nil,
            { raw in
                guard let raw else { return nil }
                Unmanaged<EventLoop>.fromOpaque(raw).takeRetainedValue().run()
                return nil
            }, me.toOpaque())
        guard failed == 0 else {
            me.release()
            throw Errno(code: failed)
        }
        clinux_set_thread_name(id, String(decoding: name.utf8.prefix(15), as: UTF8.self))
        pthread_detach(id)
    }

    deinit {
        close(epoll)
        close(wake)
    }

    /// Ends the thread once its queue is empty. Jobs enqueued later never run: stop the loop last.
    public func stop() {
        inbox.withLock { $0.stopping = true }
        signal()
    }

    // MARK: Executor

    /// Runs the job on the loop's thread, after those that were enqueued before. From any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustWake = inbox.withLock { box in
            box.jobs.append(job)
            defer { box.asleep = false }
            return box.asleep
        }
        if mustWake { signal() }
    }

    /// Ends the process unless it is called on the loop's thread.
    public func checkIsolated() { precondition(isOnLoopThread, "not on the event loop's thread") }
    /// Never `nil`: the loop knows its thread.
    public func isIsolatingCurrentContext() -> Bool? { isOnLoopThread }

    /// Whether the caller runs on the loop's thread. From any thread.
    public var isOnLoopThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    // MARK: Descriptors and timers

    /// Calls `handler` whenever `descriptor` is ready for one of `events`, or has an error or hang-up (which is reported
    /// even if `events` is empty, again and again). Replaces an earlier registration of the same descriptor.
    public func watch(
        _ descriptor: Int32, for events: DescriptorEvents, handler: @escaping @Sendable (DescriptorEvents) -> Void
    ) {
        checkIsolated()
        let (tag, isNew) = watches.insert(descriptor, handler)
        control(isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, events, tag: tag)
    }

    /// Must come before the descriptor is closed. Its handler is not called again, not even for what is ready already.
    public func unwatch(_ descriptor: Int32) {
        checkIsolated()
        if watches.remove(descriptor) { control(EPOLL_CTL_DEL, descriptor, [], tag: 0) }
    }

    /// Calls `fire` once, `delay` from now, on the loop's thread; never inside this call, even if `delay` is zero.
    @discardableResult
    public func schedule(after delay: Duration, _ fire: @escaping @Sendable () -> Void) -> TimerID {
        checkIsolated()
        return timers.insert(due: now + delay, fire)
    }

    /// Does nothing if the timer fired or was cancelled before.
    public func cancel(_ timer: TimerID) {
        checkIsolated()
        timers.remove(timer)
    }

    /// Time since an arbitrary start that never goes back and stands still while the machine sleeps
    /// (`CLOCK_MONOTONIC`).
    public var now: Duration { Self.monotonic() }

    // MARK: The loop

    private func run() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        defer { thread.store(0, ordering: .relaxed) }  // the system may give the next thread the same number
        var batch: [UnownedJob] = []
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 32) { events in
            while true {
                // A job often queues the next one, and a look at the descriptors is a system call: several rounds first.
                var idle = false
                for _ in 0..<16 where !idle {
                    // Take what is queued, or fall asleep: one decision, made under the lock.
                    let stopping = inbox.withLock { box in
                        swap(&batch, &box.jobs)
                        box.asleep = batch.isEmpty && !box.stopping
                        return box.stopping && batch.isEmpty
                    }
                    if stopping { return }
                    for job in batch {
                        job.runSynchronously(
                            isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
                    }
                    idle = batch.isEmpty
                    batch.removeAll(keepingCapacity: true)
                }

                let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), idle ? pollTimeout() : 0)
                if idle { inbox.withLock { $0.asleep = false } }
                for event in events.prefix(Int(max(count, 0))) {
                    if event.data.u64 == WatchTable.wakeTag {
                        var wakes: UInt64 = 0
                        _ = read(wake, &wakes, 8)
                    } else {
                        // Looked up late: an earlier handler may have removed this watch.
                        watches.handler(for: event.data.u64)?(DescriptorEvents(rawValue: event.events))
                    }
                }
                // Not the timers that these set: jobs and descriptors have their turn in between.
                let (time, last) = (now, timers.lastNumber)
                while let fire = timers.popDue(at: time, upTo: last) { fire() }
            }
        }
    }

    /// Milliseconds for `epoll_wait`, rounded up so that a timer is never early; -1 sleeps until something happens.
    private func pollTimeout() -> Int32 {
        guard let due = timers.nextDue else { return -1 }
        let left = due - now
        return left.milliseconds(.up)
    }

    private func signal() {
        var one: UInt64 = 1
        _ = write(wake, &one, 8)
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ events: DescriptorEvents, tag: UInt64) {
        var event = epoll_event(events: events.rawValue, data: epoll_data_t(u64: tag))
        guard epoll_ctl(epoll, operation, descriptor, &event) != 0 else { return }
        // Someone closed the descriptor without `unwatch`, and the number now means another file: register that one.
        if operation == EPOLL_CTL_MOD, errno == ENOENT, epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 {
            return
        }
        assert(errno == ENOENT || errno == EBADF, "epoll_ctl: \(Errno.last)")
    }

    private static func monotonic() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
