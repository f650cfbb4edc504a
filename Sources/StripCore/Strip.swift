import BlueZ
import DBus
import EventLoop
public import StripModel
public import Triones

/// One light: what is wanted of it, what is known of it, and the link to it. It performs what `LinkStateMachine`,
/// `WriteQueue` and `ReadBack` decide.
public actor Strip {
    public nonisolated let address: BluetoothAddress
    let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let bluez: BlueZClient
    let radio: Radio
    let timing: Timing
    let log: Log

    var identity: Identity
    var state: StripState
    var link: LinkStateMachine
    var queue: WriteQueue
    var readBack: ReadBack

    /// Changes that are not done yet, by number.
    var changes: [UInt64: OpenChange] = [:]
    /// Results that came before their waiter was there.
    var earlyResults: [UInt64: ChangeResult] = [:]
    /// Changes that wait for a report before they can be worked out, and all that came after them.
    var undecided: [UndecidedChange] = []
    var reportWaiters: [ReportWaiter] = []
    var lastNumber: UInt64 = 0

    var worldCause: FailureCause?
    var isRemoved = false
    var listening: UInt64?
    var notifications = Notifications.off
    /// Counts the links, so that work for a former one can be told from work for this one.
    var linkNumber: UInt64 = 0
    /// Use the write type that is not the preferred one, where both are offered.
    var usesAlternateType = false
    var refusedWrites = 0
    /// Once a link: a strip of another kind may send what is no report many times a second.
    var saidOfOddReports = false
    var linkTimers: [LinkStateMachine.LinkTimer: TimerID] = [:]
    var paceTimer: TimerID?
    var queryTimer: TimerID?
    var overdueTimer: TimerID?
    var graceTimer: TimerID?
    /// When power was last written or reported, on the loop's clock.
    var powerFact: WriteQueue.PowerFact?
    var available: Bool?
    private var telling: TimerID?

    /// The newest view; a reader that is slow misses older ones only.
    nonisolated let views: AsyncStream<StripView>
    private let viewSink: AsyncStream<StripView>.Continuation

    /// What the user calls it, and what it calls itself.
    struct Identity: Hashable, Sendable {
        var alias: Alias?
        var name: String?
        var isDefault = false
    }

    struct OpenChange {
        var deadline: TimerID
        /// Somebody waits, or is about to.
        var isAwaited = true
        var waiter: CheckedContinuation<ChangeResult, Never>?
        var linkWasMade: Bool
        var notes: [String] = []
    }

    struct UndecidedChange {
        enum Ask { case change(StripChange), toggle }
        var number: UInt64
        var ask: Ask
    }

    struct ReportWaiter {
        var patience: Int
        var waiter: CheckedContinuation<Bool, Never>
    }

    enum Notifications { case off, starting, on, refused }

    init(
        _ address: BluetoothAddress, identity: Identity, state: StripState, unavailable: FailureCause?,
        bluez: BlueZClient, radio: Radio, timing: Timing, log: Log, on loop: EventLoop
    ) {
        self.address = address
        self.identity = identity
        self.state = state
        self.bluez = bluez
        self.radio = radio
        self.timing = timing
        self.log = log
        self.loop = loop
        worldCause = unavailable
        link = LinkStateMachine(keepsAlways: timing.keepLink == .always, unavailable: unavailable)
        queue = WriteQueue(pace: timing.pace, powerFreshness: timing.powerFreshness)
        readBack = ReadBack(timing: timing)
        (views, viewSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Follows the strip's device on the bus until the task is cancelled.
    func run() async {
        let events = await bluez.events(ofDevice: address.bluez)
        if timing.keepLink == .always {
            perform(link.want(device: await radio.device(withAddress: address.bluez)?.path))
        }
        publish()
        for await event in events { await handle(event) }
    }

    // MARK: Asking for a change

    /// Takes a change. It is carried out whether or not anyone waits for it.
    ///
    /// - Parameters:
    ///   - deadline: after this it fails.
    ///   - wait: how long to hold the answer back; `nil` answers at once.
    /// - Throws: `InvalidValue` if the change makes no sense on this strip now.
    public func apply(
        _ change: StripChange, deadline: Duration, wait: Duration?
    ) async throws(InvalidValue) -> ChangeResult {
        if undecided.isEmpty, !(ChangePlan.needsKnowledge(change) && needsReport) {
            let plan = try plan(change)
            let number = open(deadline: deadline)
            carryOut(plan, as: number)
            return await result(of: number, wait: wait)
        }
        let number = open(deadline: deadline)
        undecided.append(UndecidedChange(number: number, ask: .change(change)))
        askForReport()
        return await result(of: number, wait: wait)
    }

    /// Inverts the power: a waiting wish, a fresh report, what the strip answers, or what was last known.
    public func toggle(deadline: Duration, wait: Duration?) async -> ChangeResult {
        let number = open(deadline: deadline)
        if undecided.isEmpty, let power = certainPower {
            carryOut(toggled(power), as: number)
        } else {
            undecided.append(UndecidedChange(number: number, ask: .toggle))
            askForReport()
        }
        return await result(of: number, wait: wait)
    }

    /// The frames that a change would send now; nothing is sent.
    public func dryRun(_ change: StripChange) throws(InvalidValue) -> (frames: [Frame], notes: [String]) {
        let plan = try plan(change)
        return (plan.frames(known: powerFact, at: loop.now, timing: timing), plan.notes)
    }

    /// Asks the strip for its state, connecting if need be. `written` means that it answered.
    public func refresh(deadline: Duration) async -> ChangeResult {
        let number = open(deadline: deadline)
        defer { close(number) }
        askForReport()
        if await report(patience: timing.queriesBeforeBlind) { return .written(notes: []) }
        let cause = worldCause ?? (link.writableEndpoints != nil ? .noAnswer : link.lastFailure ?? .outOfRange)
        return .failed(cause, notes: [])
    }

    /// The power as the strip tells it, or as far as it is known.
    ///
    /// - Parameter deadline: how long connecting and asking may take.
    func currentPower(deadline: Duration) async -> Power? {
        if let certainPower { return certainPower }
        let number = open(deadline: deadline)
        defer { close(number) }
        askForReport()
        _ = await report(patience: 1)
        return wantedPower
    }

    /// Gives the link back now. What waits is failed; nothing is written afterwards.
    public func release() async {
        failEverything(.released)
        perform(link.release())
        publish()
    }

    /// Ends everything for good: the strip was forgotten, or the daemon stops.
    func end(_ cause: FailureCause) async {
        isRemoved = true
        failEverything(cause)
        let device = link.device
        perform(link.release())
        // Best effort: it may be gone.
        if cause == .forgotten, let device { try? await bluez.setTrusted(false, device) }
        viewSink.finish()
    }

    // MARK: Naming

    var advertisedName: String? { identity.name }

    func rename(_ alias: Alias?) {
        identity.alias = alias
        publish()
    }

    func setDefault(_ isDefault: Bool) {
        identity.isDefault = isDefault
        publish()
    }

    // MARK: Showing

    /// What is known now.
    public func view() async -> StripView {
        let device = await radio.device(withAddress: address.bluez)
        return view(of: device)
    }

    /// What is to be kept over a restart.
    func record() -> StripRecord {
        StripRecord(
            address: address, alias: identity.alias, name: identity.name, look: state.hasLook ? state.look : nil,
            hasWhiteChannel: state.hasWhiteChannel, model: state.model)
    }

    /// Tells what is known, once for all that changes within a moment; the hub sees what is new in it.
    func publish() {
        guard !isRemoved, telling == nil else { return }
        telling = loop.schedule(after: timing.telling) { [weak self] in
            guard let self else { return }
            Task(executorPreference: self.loop) { await self.publishNow() }
        }
    }

    private func publishNow() async {
        telling = nil
        let view = await view()
        if !isRemoved { viewSink.yield(view) }
    }
}

/// How a change ended, or that it was accepted and goes on.
public enum ChangeResult: Hashable, Sendable {
    case accepted(notes: [String])
    case written(notes: [String])
    case superseded(notes: [String])
    case failed(FailureCause, notes: [String])
}
