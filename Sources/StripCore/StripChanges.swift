import BlueZ
import DBus
import EventLoop
import StripModel
import Triones

/// What is wanted of a strip: taking changes, working them out, and ending each of them exactly once.
extension Strip {
    /// What the strip shows once the waiting wishes are written.
    var wantedLook: Look { queue.wantedLook ?? state.look }
    var wantedPower: Power? { queue.wantedPower ?? state.power }

    /// The power, where asking the strip would tell nothing new.
    var certainPower: Power? {
        if let wanted = queue.wantedPower { return wanted }
        guard state.powerKnowledge.is == .reported, let fact = powerFact, loop.now - fact.at <= timing.powerFreshness
        else { return nil }
        return fact.power
    }

    /// Nobody ever told what the light shows.
    var needsReport: Bool { !state.knowsLight && queue.wantedLook == nil && !readBack.isBlind }

    func plan(_ change: StripChange) throws(InvalidValue) -> ChangePlan {
        try ChangePlan(change, wanted: wantedLook, power: wantedPower, hasWhiteChannel: state.hasWhiteChannel)
    }

    func toggled(_ power: Power?) -> ChangePlan {
        ChangePlan(power: power == .on ? .off : .on, look: wantedLook, hasWhiteChannel: state.hasWhiteChannel)
    }

    // MARK: The life of a change

    func open(deadline: Duration) -> UInt64 {
        lastNumber += 1
        let number = lastNumber
        let timer = loop.schedule(after: deadline) { [weak self] in
            self?.assumeIsolated { $0.deadlineReached(number) }
        }
        let hasLink = link.writableEndpoints != nil
        changes[number] = OpenChange(deadline: timer, linkWasMade: hasLink)
        if worldCause != nil { startGrace() }
        return number
    }

    /// Ends a change without a result: it was only a reason to connect.
    func close(_ number: UInt64) {
        earlyResults[number] = nil
        guard let change = changes.removeValue(forKey: number) else { return }
        loop.cancel(change.deadline)
        settleLink()
    }

    func carryOut(_ plan: ChangePlan, as number: UInt64) {
        changes[number]?.notes = plan.notes
        state.hasWhiteChannel = plan.hasWhiteChannel
        guard plan.power != nil || plan.light != nil else {
            queue.remember(plan.look)
            state.remember(plan.look)
            finish(number, .written)
            return publish()
        }
        let light = plan.light.map { WriteQueue.Light(command: $0, look: plan.look) }
        finish(queue.add(number, power: plan.power, light: light, impliesOn: plan.impliesOn))
        wantLink()
        publish()
    }

    /// Works out what waited for a report, in the order in which it was asked.
    func decideTheUndecided() {
        let waiting = undecided
        undecided = []
        for item in waiting where changes[item.number] != nil {
            switch item.ask {
            case .toggle: carryOut(toggled(wantedPower), as: item.number)
            case .change(let change):
                do throws(InvalidValue) {
                    carryOut(try plan(change), as: item.number)
                } catch {
                    changes[item.number]?.notes = ["\(error)"]
                    fail(item.number, .nothingToChange)
                }
            }
        }
    }

    func result(of number: UInt64, wait: Duration?) async -> ChangeResult {
        if let result = earlyResults.removeValue(forKey: number) { return result }
        guard let wait, wait > .zero else {
            changes[number]?.isAwaited = false
            return .accepted(notes: changes[number]?.notes ?? [])
        }
        let patience = loop.schedule(after: wait) { [weak self] in
            self?.assumeIsolated { $0.stopWaiting(for: number) }
        }
        defer { loop.cancel(patience) }
        return await withCheckedContinuation { waiter in
            // On the way into the continuation others may have had their turn.
            if let result = earlyResults.removeValue(forKey: number) {
                waiter.resume(returning: result)
            } else {
                changes[number]?.waiter = waiter
            }
        }
    }

    private func stopWaiting(for number: UInt64) {
        guard let change = changes[number], change.isAwaited else { return }
        changes[number]?.isAwaited = false
        changes[number]?.waiter = nil
        tell(.accepted(notes: change.notes), of: number, change)
    }

    private func tell(_ result: ChangeResult, of number: UInt64, _ change: OpenChange) {
        if let waiter = change.waiter {
            waiter.resume(returning: result)
        } else if change.isAwaited {
            earlyResults[number] = result
        }
    }

    func finish(_ completions: [WriteQueue.Completion]) {
        for completion in completions { finish(completion.change, completion.outcome) }
    }

    func finish(_ number: UInt64, _ outcome: WriteQueue.Outcome) {
        guard let change = changes.removeValue(forKey: number) else { return }
        loop.cancel(change.deadline)
        switch outcome {
        case .written: tell(.written(notes: change.notes), of: number, change)
        case .superseded: tell(.superseded(notes: change.notes), of: number, change)
        }
    }

    func fail(_ number: UInt64, _ cause: FailureCause) {
        guard let change = changes.removeValue(forKey: number) else { return }
        loop.cancel(change.deadline)
        queue.withdraw(number)
        log(.warning, "\(name): a change failed: \(cause.rawValue)")
        tell(.failed(cause, notes: change.notes), of: number, change)
    }

    func failEverything(_ cause: FailureCause) {
        for number in changes.keys.sorted() { fail(number, cause) }
        undecided = []
        queue.withdrawAll()
        answerReportWaiters(false)
    }

    private func deadlineReached(_ number: UInt64) {
        guard let change = changes[number] else { return }
        undecided.removeAll { $0.number == number }
        if !change.linkWasMade { available = false }
        fail(number, worldCause ?? (change.linkWasMade ? .timedOut : link.lastFailure ?? .outOfRange))
        if changes.isEmpty {
            answerReportWaiters(false)
            queue.dropQuery()
        }
        settleLink()
        publish()
    }

    // MARK: Asking the strip

    func askForReport() {
        queue.addQuery()
        wantLink()
        if !mayReport { noReportWillCome() }
    }

    /// False once it is known that nothing which the strip reports can be had on this link.
    private var mayReport: Bool { notifications != .refused }

    /// Waits for the next report; false after `patience` queries without an answer, or when the link is given up.
    func report(patience: Int) async -> Bool {
        await withCheckedContinuation { waiter in
            guard !changes.isEmpty, mayReport else { return waiter.resume(returning: false) }
            reportWaiters.append(ReportWaiter(patience: patience, waiter: waiter))
        }
    }

    func reportCame() {
        answerReportWaiters(true)
        decideTheUndecided()
    }

    func reportIsOverdue() {
        for index in reportWaiters.indices { reportWaiters[index].patience -= 1 }
        let tired = reportWaiters.filter { $0.patience <= 0 }
        reportWaiters.removeAll { $0.patience <= 0 }
        for waiter in tired { waiter.waiter.resume(returning: false) }
        decideTheUndecided()
    }

    func noReportWillCome() {
        perform(readBack.noReports())
        answerReportWaiters(false)
        decideTheUndecided()
    }

    private func answerReportWaiters(_ came: Bool) {
        let waiters = reportWaiters
        reportWaiters = []
        for waiter in waiters { waiter.waiter.resume(returning: came) }
    }

    // MARK: The world

    /// The adapter or the Bluetooth service went away (`cause`) or came back.
    func worldChanged(_ cause: FailureCause?) async {
        guard cause != worldCause else { return }
        worldCause = cause
        let device = await radio.device(withAddress: address.bluez)?.path
        if cause == nil {
            if let graceTimer { loop.cancel(graceTimer) }
            graceTimer = nil
        } else {
            available = false
            if !changes.isEmpty { startGrace() }
        }
        perform(link.worldChanged(unavailable: cause, device: device))
        publish()
    }

    /// Without an adapter or a Bluetooth service a change fails sooner than at its deadline.
    private func startGrace() {
        guard graceTimer == nil else { return }
        graceTimer = loop.schedule(after: timing.worldGrace) { [weak self] in
            self?.assumeIsolated { strip in
                strip.graceTimer = nil
                guard let cause = strip.worldCause else { return }
                strip.failEverything(cause)
                strip.settleLink()
                strip.publish()
            }
        }
    }
}
