import BlueZ
import DBus
import EventLoop
import FoundationEssentials
import StripModel
import Triones

/// What goes over the link: performing what `WriteQueue` and `ReadBack` decide.
extension Strip {
    /// Writes the next frame, if there is one and the link takes it.
    func pump() {
        guard let endpoints = link.writableEndpoints else { return }
        let (step, ended) = queue.next(at: loop.now, known: powerFact, mayQuery: notifications == .on)
        finish(ended)
        switch step {
        case .rest: settleLink()
        case .wait(let delay):
            pump(after: delay)
        case .write(let write):
            if write.slot == .query { perform(readBack.asked()) }
            let type = endpoints.writeTypes.preferred(alternate: usesAlternateType)
            Task(executorPreference: loop) { await self.send(write, to: endpoints.write, type: type) }
        }
    }

    private func send(_ write: WriteQueue.Write, to characteristic: ObjectPath, type: WriteType) async {
        let frame = Frame(write.command)
        do {
            try await bluez.write(frame.bytes, to: characteristic, type: type)
            log(.debug, "\(name): wrote \(frame) as \(type)")
            wrote(write)
        } catch {
            log(.info, "\(name): writing \(frame) failed: \(error)")
            writeFailed(write, error)
        }
    }

    private func wrote(_ write: WriteQueue.Write) {
        refusedWrites = 0
        available = true
        let date = Date()
        switch write.command {
        case .power(let power):
            powerFact = WriteQueue.PowerFact(power: power, at: loop.now)
            state.assume(power, at: date)
            perform(readBack.wrote(power: power))
        case .color, .white, .effect:
            if let look = queue.outstandingLook { state.assume(look, at: date) }
            perform(readBack.wrote(light: write.command))
        case .queryStatus, .unlock: break
        }
        finish(queue.written())
        publish()
        pump()
    }

    private func writeFailed(_ write: WriteQueue.Write, _ error: BlueZError) {
        finish(queue.failed())
        defer { settleLink() }
        switch write.slot {
        case .query: if link.writableEndpoints != nil { queue.addQuery() }
        case .power: powerFact = nil  // it may have reached the strip all the same
        case .light: break
        }
        switch error.kind {
        case .notConnected: perform(link.writeFoundNoLink())
        case .vanished, .serviceUnknown, .disconnected, .cancelled: break  // the link's own events say what comes next
        case .notPermitted where !usesAlternateType && link.writableEndpoints?.writeTypes == .both:
            usesAlternateType = true
            pump()
        default:
            refusedWrites += 1
            guard refusedWrites < 3 else {
                switch error.kind {
                case .notPermitted, .attError: return failEverything(.writeRefused)
                default: return failEverything(.failed)
                }
            }
            // Another program is writing, or the strip hiccuped: once more, a little later.
            pump(after: timing.pace)
        }
    }

    private func pump(after delay: Duration) {
        if let paceTimer { loop.cancel(paceTimer) }
        paceTimer = loop.schedule(after: delay) { [weak self] in self?.assumeIsolated { $0.pump() } }
    }

    // MARK: What the strip tells

    func received(_ bytes: [UInt8]) {
        do throws(FrameError) {
            switch try Report(decoding: bytes) {
            case .status(let status): received(status)
            case .powerAcknowledged(let power):
                powerFact = WriteQueue.PowerFact(power: power, at: loop.now)
                if queue.wantedPower == nil { state.confirm(power, at: Date()) }
            }
        } catch {
            log(saidOfOddReports ? .debug : .notice, "\(name): ignored a report: \(error)")
            saidOfOddReports = true
        }
        publish()
    }

    private func received(_ status: Status) {
        let (belief, actions) = readBack.received(status)
        state.merge(status, believing: belief, at: Date())
        if belief.power, let power = status.power {
            powerFact = WriteQueue.PowerFact(power: power, at: loop.now)
        }
        perform(actions)
        reportCame()
        settleLink()
    }

    func perform(_ actions: [ReadBack.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: ReadBack.Action) {
        switch action {
        case .query(let delay):
            if let queryTimer { loop.cancel(queryTimer) }
            if reportWaiters.isEmpty, undecided.isEmpty { queue.dropQuery() }  // a newer burst: ask about that one
            queryTimer = loop.schedule(after: delay) { [weak self] in
                self?.assumeIsolated { strip in
                    strip.queryTimer = nil
                    strip.queue.addQuery()
                    strip.pump()
                }
            }
        case .cancelQuery:
            if let queryTimer { loop.cancel(queryTimer) }
            queryTimer = nil
            queue.dropQuery()
        case .awaitAnswer(let delay):
            if let overdueTimer { loop.cancel(overdueTimer) }
            overdueTimer = loop.schedule(after: delay) { [weak self] in
                self?.assumeIsolated { strip in
                    strip.overdueTimer = nil
                    strip.perform(strip.readBack.answerOverdue())
                    strip.reportIsOverdue()
                }
            }
        case .cancelOverdue:
            if let overdueTimer { loop.cancel(overdueTimer) }
            overdueTimer = nil
        case .repair(let wanted):
            log(.notice, "\(name): reports something else than it was told; writing it once more")
            usesAlternateType.toggle()
            queue.rewrite(
                power: wanted.power, light: wanted.light.map { WriteQueue.Light(command: $0, look: state.look) })
            pump()
        case .differs:
            usesAlternateType = false
            log(.warning, "\(name): goes on reporting something else than it was told")
        case .blind:
            log(.notice, "\(name): answers no queries; its values are assumed")
            noReportWillCome()
        }
    }
}
