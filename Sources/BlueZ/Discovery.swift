public import DBus

// Discovery: one for each adapter, however many readers it has. What is wanted is compared with what is, by one task at
// a time that calls StartDiscovery or StopDiscovery until both agree.

struct Discovery {
    enum Phase {
        case off
        case starting
        case on
        case stopping
    }
    var phase = Phase.off
    var readers: [UInt64: Mailbox<Device, ObjectPath>] = [:]
    /// Each keeps it off for a while.
    var holds: Set<UInt64> = []
    var isSteered = false
    var waitingForOff: [CheckedContinuation<Void, Never>] = []

    var isWanted: Bool { !readers.isEmpty && holds.isEmpty }
}

extension BlueZClient {
    /// The devices that this adapter hears, first those that it heard lately; a device comes again whenever it is heard.
    ///
    /// Dropping the stream, or cancelling its reader, stops the discovery once no other reader is left. It pauses while
    /// a link is made (`connect`). It ends with `BlueZError` when it cannot be started, when the adapter is switched
    /// off or removed, and when bluetoothd or the bus goes away.
    ///
    /// Buffer: for each device the latest that was heard.
    public func discover(on adapter: ObjectPath) -> AsyncThrowingStream<Device, any Error> {
        let (id, mailbox) = (newID(), Mailbox<Device, ObjectPath>(on: loop))
        discoveries[adapter, default: Discovery()].readers[id] = mailbox
        for device in devices() where device.adapter == adapter && device.rssi != nil {
            mailbox.put(device, key: device.path)
        }
        steer(adapter)
        let lease = Lease(on: loop) { [weak self] in await self?.forget(discoverer: id, on: adapter) }
        return AsyncThrowingStream { try await lease.keeping { try await mailbox.next().get() } }
    }

    /// Whether a discovery of ours is on: from the call of StartDiscovery until StopDiscovery was answered.
    func discoveryIsActive(on adapter: ObjectPath) -> Bool {
        discoveries[adapter].map { $0.phase != .off } ?? false
    }

    /// Ends all `discover(on:)` streams of this adapter, without error, and returns once BlueZ has stopped.
    public func stopDiscovery(on adapter: ObjectPath) async {
        for mailbox in (discoveries[adapter]?.readers ?? [:]).values { mailbox.finish() }
        discoveries[adapter]?.readers = [:]
        let hold = holdDiscovery(on: adapter)
        await discoveryIsOff(on: adapter)
        releaseDiscovery(on: adapter, hold)
    }

    // MARK: What others do to it

    func holdDiscovery(on adapter: ObjectPath) -> UInt64 {
        let id = newID()
        discoveries[adapter, default: Discovery()].holds.insert(id)
        steer(adapter)
        return id
    }

    func releaseDiscovery(on adapter: ObjectPath, _ hold: UInt64) {
        guard discoveries[adapter]?.holds.remove(hold) != nil else { return }
        steer(adapter)
    }

    /// Returns once StopDiscovery was answered; at once if none of ours is on. For holders of a hold only: without one
    /// the discovery may be wanted again first.
    func discoveryIsOff(on adapter: ObjectPath) async {
        await withCheckedContinuation { waiter in
            if let discovery = discoveries[adapter], discovery.isSteered || discovery.phase != .off {
                discoveries[adapter]?.waitingForOff.append(waiter)
            } else {
                waiter.resume()
            }
        }
    }

    func discovered(_ device: Device) {
        guard device.rssi != nil, let discovery = discoveries[device.adapter] else { return }
        for mailbox in discovery.readers.values { mailbox.put(device, key: device.path) }
    }

    /// BlueZ has ended it. Readers that only wait for it to start are told by StartDiscovery.
    func discoveryLost(on adapter: ObjectPath, _ error: BlueZError) {
        guard let discovery = discoveries[adapter], discovery.phase == .on || error.kind != .notReady else { return }
        end(Set(discovery.readers.keys), on: adapter, with: error)
        steer(adapter)
    }

    private func forget(discoverer id: UInt64, on adapter: ObjectPath) {
        guard discoveries[adapter]?.readers.removeValue(forKey: id) != nil else { return }
        steer(adapter)
    }

    private func end(_ ids: Set<UInt64>, on adapter: ObjectPath, with error: BlueZError) {
        for id in ids {
            let mailbox = discoveries[adapter]?.readers.removeValue(forKey: id)
            mailbox?.finish(throwing: error)
        }
    }

    // MARK: Steering

    private func steer(_ adapter: ObjectPath) {
        guard let discovery = discoveries[adapter], !discovery.isSteered else { return }
        discoveries[adapter]?.isSteered = true
        Task(executorPreference: loop) { await self.reach(adapter) }
    }

    private func reach(_ adapter: ObjectPath) async {
        while let discovery = discoveries[adapter] {
            switch (discovery.isWanted, discovery.phase) {
            case (true, .off):
                discoveries[adapter]?.phase = .starting
                do throws(BlueZError) {
                    try await start(adapter)
                    discoveries[adapter]?.phase = .on
                    if let adapter = tree.adapters[adapter], !adapter.powered { throw .poweredOff(adapter) }
                } catch {
                    discoveries[adapter]?.phase = .off
                    end(Set(discovery.readers.keys), on: adapter, with: error)
                }
            case (false, .on):
                discoveries[adapter]?.phase = .stopping
                await stop(adapter)
                discoveries[adapter]?.phase = .off
            default:
                discoveries[adapter]?.isSteered = false
                guard discovery.phase == .off else { return }
                discoveries[adapter]?.waitingForOff = []
                if discovery.readers.isEmpty && discovery.holds.isEmpty { discoveries[adapter] = nil }
                for waiter in discovery.waitingForOff { waiter.resume() }
                return
            }
        }
    }

    private func start(_ adapter: ObjectPath) async throws(BlueZError) {
        // No UUIDs: most strips do not advertise their services. Without a transport some versions hear no LE device.
        let filter: [DBusValue] = [.options(["Transport": .string("le")])]
        try await call(
            adapter, "org.bluez.Adapter1", "SetDiscoveryFilter", filter, timeout: timing.startDiscovery)
        do throws(BlueZError) {
            try await startDiscovery(adapter)
        } catch  where error.kind == .inProgress {
            // bluetoothd believes that ours is on. Ending that one helps, unless bluetoothd is stuck.
            await stop(adapter)
            do throws(BlueZError) {
                try await startDiscovery(adapter)
            } catch  where error.kind == .inProgress {
                let advice = "; if it stays so, restart bluetoothd: systemctl restart bluetooth"
                throw BlueZError(kind: .inProgress, name: error.name, message: error.message + advice)
            }
        }
    }

    private func startDiscovery(_ adapter: ObjectPath) async throws(BlueZError) {
        do throws(BlueZError) {
            try await call(adapter, "org.bluez.Adapter1", "StartDiscovery", timeout: timing.startDiscovery)
        } catch  where error.kind == .timeout && tree.adapters[adapter]?.discovering == true {
            // Never answered, but on: several clients called it at once.
        }
    }

    /// Whatever this fails with, no discovery of ours is on afterwards: "No discovery started", the adapter is off or
    /// gone, bluetoothd is gone, or it does not answer and there is nothing more to do.
    private func stop(_ adapter: ObjectPath) async {
        try? await call(adapter, "org.bluez.Adapter1", "StopDiscovery", timeout: timing.stopDiscovery)  // see above
    }
}

extension BlueZError {
    static func poweredOff(_ adapter: Adapter) -> BlueZError {
        BlueZError(
            kind: .notReady, name: "org.bluez.Error.NotReady", message: "adapter \(adapter.name) was switched off")
    }
}
