import StripModel
import Triones

@testable import StripCore

/// `WriteQueue`, `LinkStateMachine` and `ReadBack` performed as `Strip` performs them, against a strip and a radio that
/// are made up, with time that passes when it is told to. What happens next is chosen from outside: see `Move`.
struct Rehearsal {
    enum Clock: Hashable {
        case link(LinkStateMachine.LinkTimer)
        case pace, query, overdue
        case deadline(UInt64)
    }
    enum Ending: Hashable { case written, superseded, failed }
    enum Notifications { case off, starting, on, refused }

    /// What a user asked for, in the order of asking.
    struct Asked {
        var power: Power?
        var light: Command?
        var impliesOn: Bool
        /// What the strip is to be afterwards, on or off.
        var wantedPower: Power? { power ?? (light != nil && impliesOn ? .on : nil) }
    }

    // The machines, and what `Strip` holds beside them.
    var link = LinkStateMachine(keepsAlways: false, unavailable: nil)
    var queue: WriteQueue
    var readBack: ReadBack
    var known: WriteQueue.PowerFact?
    var notifications = Notifications.off
    var refusedWrites = 0
    var clocks: [Clock: Duration] = [:]
    var now = Duration.zero
    let timing = Timing()

    // The world.
    var strip: FakeStrip
    var isDeviceKnown = false
    var hasObjects = false
    var isConnected = false
    var isResolved = false
    var isAdapterOn = true
    var isScanning = false
    var openConnects = 0
    var isDisconnecting = false
    var outstanding: (write: WriteQueue.Write, hasArrived: Bool)?
    var reports: [Status] = []

    // What is held against it.
    var asked: [Asked] = []
    var endings: [UInt64: Ending] = [:]
    var isReleased = false
    var lightStarts: [(at: Duration, wish: Int)] = []
    var faults: [String] = []

    init(strip: FakeStrip) {
        self.strip = strip
        queue = WriteQueue(pace: timing.pace, powerFreshness: timing.powerFreshness)
        readBack = ReadBack(timing: timing)
    }

    // MARK: What a user does

    mutating func ask(_ wish: Asked) {
        asked.append(wish)
        let number = UInt64(asked.count)
        isReleased = false
        clocks[.deadline(number)] = now + timing.deadline
        let light = wish.light.map { WriteQueue.Light(command: $0, look: Look()) }
        end(queue.add(number, power: wish.power, light: light, impliesOn: wish.impliesOn))
        perform(link.want(device: isDeviceKnown ? desk : nil))
    }

    mutating func release() {
        failEverything()
        isReleased = true
        perform(link.release())
    }

    // MARK: As Strip does it

    private var openChanges: [UInt64] { asked.indices.map { UInt64($0 + 1) }.filter { endings[$0] == nil } }

    private mutating func end(_ completions: [WriteQueue.Completion]) {
        for completion in completions {
            end(completion.change, completion.outcome == .written ? .written : .superseded)
        }
    }

    private mutating func end(_ change: UInt64, _ ending: Ending) {
        if let former = endings.updateValue(ending, forKey: change) {
            faults.append("change \(change) ended twice: \(former), then \(ending)")
        }
        clocks[.deadline(change)] = nil
    }

    private mutating func failEverything() {
        for change in openChanges {
            queue.withdraw(change)
            end(change, .failed)
        }
        queue.withdrawAll()
    }

    private mutating func settleLink() {
        guard queue.isEmpty, openChanges.isEmpty else { return }
        perform(link.wantNothing())
    }

    mutating func perform(_ actions: [LinkStateMachine.Action]) {
        for action in actions {
            switch action {
            case .scan: isScanning = true
            case .stopScanning: isScanning = false
            case .connect: openConnects += 1
            case .disconnect: isDisconnecting = true
            case .trust: break
            case .startNotifications: notifications = .starting
            case .noReports:
                notifications = .refused
                perform(readBack.noReports())
            case .write: pump()
            case .schedule(let timer): clocks[.link(timer)] = now + duration(of: timer)
            case .cancel(let timer): clocks[.link(timer)] = nil
            case .fail:
                failEverything()
                settleLink()
            case .linkUp:
                notifications = .off
                refusedWrites = 0
                readBack.linkUp()
                if !queue.hasWishes { queue.addQuery() }
            case .linkDown:
                notifications = .off
                queue.dropRewrites()
                perform(readBack.linkLost())
            }
        }
        if actions.contains(.linkDown) { settleLink() }
    }

    private func duration(of timer: LinkStateMachine.LinkTimer) -> Duration {
        switch timer {
        case .backOff(let attempt): min(timing.firstBackOff * (1 << min(attempt - 1, 20)), timing.longestBackOff)
        case .connect: timing.connect
        case .resolve: timing.resolve
        case .lateObjects: timing.lateObjects
        case .keepLink: .seconds(120)
        case .release: timing.release
        }
    }

    mutating func perform(_ actions: [ReadBack.Action]) {
        for action in actions {
            switch action {
            case .query(let delay):
                queue.dropQuery()
                clocks[.query] = now + delay
            case .cancelQuery:
                clocks[.query] = nil
                queue.dropQuery()
            case .awaitAnswer(let delay): clocks[.overdue] = now + delay
            case .cancelOverdue: clocks[.overdue] = nil
            case .repair(let wanted):
                queue.rewrite(
                    power: wanted.power,
                    light: wanted.light.map { WriteQueue.Light(command: $0, look: Look()) })
                pump()
            case .differs: break
            case .blind: queue.dropQuery()
            }
        }
    }

    mutating func pump() {
        guard link.writableEndpoints != nil else { return }
        let wasOutstanding = outstanding != nil
        let (step, completions) = queue.next(at: now, known: known, mayQuery: notifications == .on)
        end(completions)
        switch step {
        case .rest: settleLink()
        case .wait(let delay): clocks[.pace] = now + delay
        case .write(let write):
            if wasOutstanding { faults.append("a second write was started while one was outstanding") }
            if isReleased { faults.append("\(write.command) was written after the release") }
            if write.slot == .light { lightStarts.append((now, asked.lastIndex { $0.light != nil } ?? 0)) }
            if write.slot == .query { perform(readBack.asked()) }
            outstanding = (write, false)
        }
    }

    mutating func wrote() {
        guard let (write, _) = outstanding else { return }
        outstanding = nil
        refusedWrites = 0
        switch write.command {
        case .power(let power):
            known = WriteQueue.PowerFact(power: power, at: now)
            perform(readBack.wrote(power: power))
        case .color, .white, .effect: perform(readBack.wrote(light: write.command))
        case .queryStatus, .unlock: break
        }
        end(queue.written())
        pump()
    }

    mutating func writeFailed(saysNotConnected: Bool) {
        guard let (write, _) = outstanding else { return }
        outstanding = nil
        end(queue.failed())
        defer { settleLink() }
        switch write.slot {
        case .query: if link.writableEndpoints != nil { queue.addQuery() }
        case .power: known = nil
        case .light: break
        }
        if saysNotConnected { return perform(link.writeFoundNoLink()) }
        refusedWrites += 1
        guard refusedWrites < 3 else {
            failEverything()
            return settleLink()
        }
        clocks[.pace] = now + timing.pace
    }

    mutating func received(_ status: Status) {
        let (belief, actions) = readBack.received(status)
        if belief.power, let power = status.power { known = WriteQueue.PowerFact(power: power, at: now) }
        perform(actions)
        settleLink()
    }

    // MARK: Time

    var nextClock: (clock: Clock, at: Duration)? {
        clocks.min { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }.map { ($0.key, $0.value) }
    }

    mutating func passTime() {
        guard let (clock, at) = nextClock else { return }
        now = max(now, at)
        clocks[clock] = nil
        switch clock {
        case .link(.backOff): perform(link.backOffElapsed(device: isDeviceKnown ? desk : nil))
        case .link(.connect): perform(link.connectElapsed())
        case .link(.resolve), .link(.lateObjects): perform(link.resolveElapsed())
        case .link(.keepLink): perform(link.keepLinkElapsed())
        case .link(.release): perform(link.releaseElapsed())
        case .pace: pump()
        case .query:
            queue.addQuery()
            pump()
        case .overdue: perform(readBack.answerOverdue())
        case .deadline(let change):
            queue.withdraw(change)
            end(change, .failed)
            if openChanges.isEmpty { queue.dropQuery() }
            settleLink()
        }
    }
}

/// A strip that does as the frames say.
struct FakeStrip {
    var power = Power.off
    var light = Command.color(red: 1, green: 2, blue: 3)
    /// It takes no light while it is off.
    var isDeafWhileOff = false
    /// It answers queries.
    var answers = true

    /// - Returns: what it reports.
    mutating func obey(_ command: Command) -> Status? {
        switch command {
        case .power(let power): self.power = power
        case .color, .white, .effect: if power == .on || !isDeafWhileOff { light = command }
        case .unlock: break
        case .queryStatus:
            guard answers, case .color(let red, let green, let blue) = light else { return nil }
            return .showing(Color(red: red, green: green, blue: blue), power: power)
        }
        return nil
    }
}
