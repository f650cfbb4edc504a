import BlueZ
import DBus
import EventLoop
import StripModel

/// The link to a strip: performing what `LinkStateMachine` decides, and feeding it what happens.
extension Strip {
    var name: String { identity.alias?.text ?? address.description }

    func wantLink() {
        guard link.state == .idle else { return perform(link.want(device: nil)) }
        Task(executorPreference: loop) {
            let device = await self.radio.device(withAddress: self.address.bluez)
            await self.wantLink(to: device?.path)
        }
    }

    private func wantLink(to device: ObjectPath?) {
        guard needsLink else { return settleLink() }
        perform(link.want(device: device))
    }

    private var needsLink: Bool { !queue.isEmpty || !undecided.isEmpty || !reportWaiters.isEmpty }

    /// Lets the link go to rest once nothing waits.
    func settleLink() {
        guard !needsLink, changes.isEmpty else { return }
        perform(link.wantNothing())
    }

    func perform(_ actions: [LinkStateMachine.Action]) {
        for action in actions { perform(action) }
        if actions.contains(.linkDown) { settleLink() }  // a query was for the link that is gone: no reason for another
    }

    private func perform(_ action: LinkStateMachine.Action) {
        switch action {
        case .scan: Task(executorPreference: loop) { await self.listen() }
        case .stopScanning: Task(executorPreference: loop) { await self.stopListening() }
        case .connect(let device): Task(executorPreference: loop) { await self.connect(device) }
        case .disconnect(let device): Task(executorPreference: loop) { await self.disconnect(device) }
        case .trust(let device):
            Task(executorPreference: loop) {
                try? await self.bluez.setTrusted(true, device)  // only makes later links faster
            }
        case .startNotifications(let report):
            notifications = .starting
            Task(executorPreference: loop) { await self.startNotifications(report) }
        case .noReports:
            notifications = .refused
            noReportWillCome()
        case .write: pump()
        case .schedule(let timer): schedule(timer)
        case .cancel(let timer): if let id = linkTimers.removeValue(forKey: timer) { loop.cancel(id) }
        case .fail(let cause):
            available = false
            failEverything(cause)
            settleLink()
            publish()
        case .linkUp: linkIsUp()
        case .linkDown: linkIsDown()
        }
    }

    private func schedule(_ timer: LinkStateMachine.LinkTimer) {
        let delay: Duration
        switch timer {
        case .backOff(let attempt):
            let full = min(timing.firstBackOff * (1 << min(attempt - 1, 20)), timing.longestBackOff)
            delay = full * Double.random(in: 0.75...1.0)  // so that several strips do not try in step
        case .connect: delay = timing.connect
        case .resolve: delay = timing.resolve
        case .lateObjects: delay = timing.lateObjects
        case .release: delay = timing.release
        case .keepLink:
            guard case .after(let duration) = timing.keepLink else { return }
            delay = duration
        }
        if let id = linkTimers[timer] { loop.cancel(id) }
        linkTimers[timer] = loop.schedule(after: delay) { [weak self] in
            self?.assumeIsolated { $0.elapsed(timer) }
        }
    }

    private func elapsed(_ timer: LinkStateMachine.LinkTimer) {
        linkTimers[timer] = nil
        switch timer {
        case .backOff:
            Task(executorPreference: loop) { await self.backOffElapsed() }
        case .connect: perform(link.connectElapsed())
        case .resolve, .lateObjects: perform(link.resolveElapsed())
        case .release: perform(link.releaseElapsed())
        case .keepLink: perform(link.keepLinkElapsed())
        }
        publish()
    }

    private func backOffElapsed() async {
        let device = await radio.device(withAddress: address.bluez)
        perform(link.backOffElapsed(device: device?.path))
        publish()
    }

    // MARK: What happens on the bus

    func handle(_ event: DeviceEvent) async {
        switch event {
        case .advertised(let device):
            learnName(of: device)
            available = true
            perform(link.advertised(device.path))
        case .changed(let told):
            learnName(of: told)
            // It may tell of a time before Connect's answer: what counts is how the device is now.
            guard let device = await bluez.device(at: told.path) else { return }  // that it vanished is told as well
            perform(link.deviceFound(device.path))
            if !device.connected {
                perform(link.linkLost(device.path))
            } else if device.servicesResolved {
                perform(link.resolved(device.path, await endpoints(of: device.path)))
            }
        case .characteristicsChanged(let path):
            if let device = await bluez.device(at: path), device.servicesResolved {
                perform(link.resolved(path, await endpoints(of: path)))
            }
            return
        case .vanished(let path): perform(link.deviceVanished(path))
        case .notified(_, let value): return received(value)
        }
        publish()
    }

    private func learnName(of device: Device) {
        if let name = device.name { identity.name = name }
    }

    private func endpoints(of device: ObjectPath) async -> Endpoints? {
        Endpoints(in: await bluez.characteristics(of: device))
    }

    // MARK: Doing

    private func listen() async {
        guard listening == nil, case .waitingForDevice = link.state else { return }
        let id = await radio.startListening()
        guard listening == nil, case .waitingForDevice = link.state else { return await radio.stopListening(id) }
        listening = id
        if let device = await radio.device(withAddress: address.bluez) { perform(link.deviceFound(device.path)) }
    }

    private func stopListening() async {
        guard let id = listening else { return }
        listening = nil
        await radio.stopListening(id)
    }

    private func connect(_ path: ObjectPath) async {
        guard let device = await bluez.device(at: path) else {
            return perform(link.connectFailed(path, .vanished))
        }
        do {
            try await radio.connect(device)
            let kept = await endpoints(of: path)
            // Last, so that no event comes between it and the decision. Its `Connected` may lag behind the reply.
            if let now = await bluez.device(at: path) {
                perform(link.connectSucceeded(path, kept: kept, isResolved: now.servicesResolved))
            } else {
                perform(link.connectFailed(path, .vanished))
            }
        } catch {
            log(.info, "\(name): connect failed: \(error)")
            if error.kind == .inProgress { await cancelForeignConnect(path) }
            perform(link.connectFailed(path, ConnectFailure(error)))
        }
        publish()
    }

    /// An attempt is under way that is not ours, perhaps a dead client's: Disconnect ends it.
    private func cancelForeignConnect(_ path: ObjectPath) async {
        guard await bluez.device(at: path)?.connected == false else { return }
        try? await bluez.disconnect(path)  // the next Connect tells whether it helped
    }

    private func disconnect(_ path: ObjectPath) async {
        if await radio.withdrawConnect(to: path) { return }  // connect() ends with an error
        try? await bluez.disconnect(path)  // whatever it says, the device's state decides
        if await bluez.device(at: path)?.connected != true { perform(link.disconnected(path)) }
        publish()
    }

    /// Subscribes to the reports; BlueZ may be busy with another program's subscription, so not only once.
    private func startNotifications(_ report: ObjectPath) async {
        let number = linkNumber
        for attempt in 1...timing.subscribeAttempts {
            do {
                try await bluez.startNotifications(report)
                notifications = .on
                readBack.reportsCame()
                return pump()
            } catch {
                log(.info, "\(name): subscribing failed: \(error)")
                if attempt == timing.subscribeAttempts || error.kind == .notSupported { break }
            }
            try? await loop.sleep(for: timing.settle)  // never cancelled
            guard linkNumber == number, link.writableEndpoints?.report == report else { return }
        }
        guard linkNumber == number, link.writableEndpoints?.report == report else { return }
        log(.notice, "\(name): its reports cannot be had on this link")
        notifications = .refused
        noReportWillCome()
        pump()
    }

    private func linkIsUp() {
        linkNumber += 1
        notifications = .off
        refusedWrites = 0
        saidOfOddReports = false
        available = true
        readBack.linkUp()
        for number in changes.keys { changes[number]?.linkWasMade = true }
        if !queue.hasWishes { queue.addQuery() }
    }

    private func linkIsDown() {
        notifications = .off
        queue.dropRewrites()
        perform(readBack.linkLost())
    }
}

extension ConnectFailure {
    /// By cause: what trying again can bring.
    init(_ error: BlueZError) {
        switch error.kind {
        case .vanished: self = .vanished
        case .accessDenied: self = .final(.notAllowed)
        case .notReady: self = .retry(.adapterOff)
        case .serviceUnknown, .disconnected: self = .retry(.noBluetoothService)
        default: self = .retry(.outOfRange)
        }
    }
}
