import DBus

// Who hears of what. Each change goes to the readers that asked for its address, found by path in O(1).

extension BlueZClient {
    /// Everything that happens to BlueZ, its adapters and its devices, from now on.
    ///
    /// Buffer: of `.device` events the latest for each device; all others in order. A reader that falls 4096 behind
    /// reaches the end of its stream; it should subscribe again and read the model anew. The stream outlives the loss
    /// of the bus and ends with `run()`.
    public func events() -> AsyncStream<BlueZEvent> {
        let (id, mailbox) = (newID(), Mailbox<BlueZEvent, ObjectPath>(on: loop))
        guard !ended else { return AsyncStream { $0.finish() } }
        readers[id] = mailbox
        let lease = Lease(on: loop) { [weak self] in await self?.forget(reader: id) }
        return AsyncStream { await lease.keeping { try? await mailbox.next().get() } }  // it never fails
    }

    /// Everything that happens to the devices with this address, which may be in either case, on all adapters.
    ///
    /// Buffer: of `.advertised` events the latest for each device; all others in order, so that neither a
    /// notification nor a short loss of the link goes unseen. The end comes as for `events()`.
    public func events(ofDevice address: String) -> AsyncStream<DeviceEvent> {
        let (id, mailbox) = (newID(), Mailbox<DeviceEvent, ObjectPath>(on: loop))
        guard !ended else { return AsyncStream { $0.finish() } }
        let address = address.uppercased()
        deviceReaders[address, default: [:]][id] = mailbox
        let lease = Lease(on: loop) { [weak self] in await self?.forget(reader: id, of: address) }
        return AsyncStream { await lease.keeping { try? await mailbox.next().get() } }  // it never fails
    }

    private func forget(reader id: UInt64) { readers[id] = nil }

    private func forget(reader id: UInt64, of address: String) {
        deviceReaders[address]?[id] = nil
        if deviceReaders[address]?.isEmpty == true { deviceReaders[address] = nil }
    }

    func endStreams() {
        ended = true
        for mailbox in readers.values { mailbox.finish() }
        for mailbox in deviceReaders.values.flatMap(\.values) { mailbox.finish() }
        readers = [:]
        deviceReaders = [:]
    }

    // MARK: Telling

    func publish(_ changes: [ObjectTree.Change]) {
        for change in changes { publish(change) }
    }

    private func publish(_ change: ObjectTree.Change) {
        switch change {
        case .adapter(let adapter):
            tell(.adapter(adapter))
            if !adapter.powered { discoveryLost(on: adapter.path, .poweredOff(adapter)) }
        case .adapterRemoved(let path):
            tell(.adapterRemoved(path))
            discoveryLost(on: path, missing(path))
            endCalls(because: missing(path)) { path.contains($0) }
        case .deviceAppeared(let device):
            tell(.device(device), about: device.path)
            tell(.changed(device), to: device.address)
        case .deviceChanged(let device): tell(.changed(device), to: device.address)
        case .deviceHeard(let device):
            tell(.device(device), about: device.path)
            tell(.advertised(device), to: device.address, about: device.path)
            discovered(device)
        case .deviceVanished(let path, let address):
            endCalls(because: .vanished("BlueZ has removed device \(address)")) { path.contains($0) }
            tell(.vanished(path), to: address)
        case .characteristics(let path):
            if let device = tree.devices[path] { tell(.characteristicsChanged(path), to: device.address) }
        case .notified(let path, let devicePath, let value):
            guard let device = tree.devices[devicePath] else { return }
            tell(.notified(characteristic: path, value: value), to: device.address)
        case .removed(let path):
            endCalls(because: .vanished("BlueZ has removed characteristic \(path.lastComponent)")) { $0 == path }
        }
    }

    func tell(_ event: BlueZEvent, about key: ObjectPath? = nil) {
        for mailbox in readers.values { mailbox.put(event, key: key) }
    }

    private func tell(_ event: DeviceEvent, to address: String, about key: ObjectPath? = nil) {
        for mailbox in (deviceReaders[address] ?? [:]).values { mailbox.put(event, key: key) }
    }
}
