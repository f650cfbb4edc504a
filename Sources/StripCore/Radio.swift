public import BlueZ
import DBus
public import EventLoop

/// Shares the adapters between everyone who wants to connect or to listen, as `RadioSchedule` decides.
public actor Radio {
    private let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let bluez: BlueZClient
    private let timing: Timing
    private let choice: AdapterChoice
    private var schedules: [ObjectPath: RadioSchedule] = [:]
    private var discoveries: [ObjectPath: Task<Void, Never>] = [:]
    private var waiting: [UInt64: (device: ObjectPath, grant: CheckedContinuation<Bool, Never>)] = [:]
    private var listeners: Set<UInt64> = []
    private var lastID: UInt64 = 0

    public init(_ bluez: BlueZClient, choice: AdapterChoice, timing: Timing, on loop: EventLoop) {
        self.bluez = bluez
        self.choice = choice
        self.timing = timing
        self.loop = loop
    }

    /// The powered adapters that may be used, in the order of their names.
    public func usableAdapters() async -> [Adapter] {
        await bluez.adapters.filter { $0.powered && choice.allows($0) }
    }

    /// The device object to use for an address: connected before heard best before first.
    func device(withAddress address: String) async -> Device? {
        let usable = Set(await usableAdapters().map(\.path))
        return await bluez.devices(withAddress: address).filter { usable.contains($0.adapter) }.max {
            ($0.connected ? 1 : 0, $0.rssi ?? Int.min) < ($1.connected ? 1 : 0, $1.rssi ?? Int.min)
        }
    }

    // MARK: Connecting

    /// Connects when the radio is free for it.
    func connect(_ device: Device) async throws(BlueZError) {
        lastID += 1
        let id = lastID
        let adapter = device.adapter
        let isGranted = await withCheckedContinuation { grant in
            waiting[id] = (device.path, grant)
            perform(on: adapter) { $0.connectWanted(id) }
        }
        guard isGranted else { throw BlueZError(kind: .cancelled, name: "", message: "withdrawn before it began") }
        let slow = loop.schedule(after: timing.slowConnect) { [weak self] in
            self?.assumeIsolated { $0.perform(on: adapter) { $0.connectIsSlow(id) } }
        }
        defer { loop.cancel(slow) }
        do {
            try await bluez.connect(device.path)
            perform(on: adapter) { $0.connectEnded(id, collided: false) }
        } catch {
            let collided = error.kind == .inProgress || error.kind == .aborted
            perform(on: adapter) { $0.connectEnded(id, collided: collided) }
            throw error
        }
    }

    /// Takes back a `connect` that still waits for the radio. False if none waits.
    func withdrawConnect(to device: ObjectPath) -> Bool {
        guard let (id, entry) = waiting.first(where: { $0.value.device == device }) else { return false }
        waiting[id] = nil
        perform(on: device.parent ?? device) { $0.connectWithdrawn(id) }
        entry.grant.resume(returning: false)
        return true
    }

    // MARK: Listening

    /// Discovery runs on every usable adapter until the same number is given to `stopListening`. What is heard comes
    /// as `BlueZEvent.device`.
    func startListening() -> UInt64 {
        lastID += 1
        listeners.insert(lastID)
        Task(executorPreference: loop) { await self.updateListening() }
        return lastID
    }

    func stopListening(_ id: UInt64) {
        guard listeners.remove(id) != nil else { return }
        Task(executorPreference: loop) { await self.updateListening() }
    }

    /// An adapter came, went, or changed its power.
    func adaptersChanged() async { await updateListening() }

    private func updateListening() async {
        let usable = Set(await usableAdapters().map(\.path))
        for adapter in usable.union(schedules.keys) {
            let wanted = !listeners.isEmpty && usable.contains(adapter)
            perform(on: adapter) { $0.scanWanted(wanted) }
        }
    }

    // MARK: Performing

    private func perform(on adapter: ObjectPath, _ change: (inout RadioSchedule) -> [RadioSchedule.Action]) {
        for action in change(&schedules[adapter, default: RadioSchedule()]) {
            switch action {
            case .grant(let id): waiting.removeValue(forKey: id)?.grant.resume(returning: true)
            case .startDiscovery: startDiscovery(on: adapter)
            case .stopDiscovery: stopDiscovery(on: adapter)
            }
        }
    }

    private func startDiscovery(on adapter: ObjectPath) {
        discoveries[adapter] = Task(executorPreference: loop) {
            do {
                for try await _ in await self.bluez.discover(on: adapter) {}  // heard devices come as events
            } catch {
                // Power lost, adapter gone, BlueZ stuck: the strips that wait for a device are told by other events.
            }
            if !Task.isCancelled { await self.discoveryEnded(on: adapter) }
        }
    }

    private func discoveryEnded(on adapter: ObjectPath) {
        discoveries[adapter] = nil
        perform(on: adapter) { $0.discoveryEnded() }
    }

    private func stopDiscovery(on adapter: ObjectPath) {
        discoveries.removeValue(forKey: adapter)?.cancel()
        Task(executorPreference: loop) {
            await self.bluez.stopDiscovery(on: adapter)
            await self.discoveryStopped(on: adapter)
        }
    }

    private func discoveryStopped(on adapter: ObjectPath) { perform(on: adapter) { $0.discoveryStopped() } }
}

/// Which adapters may be used.
public enum AdapterChoice: Hashable, Sendable {
    case any
    /// As in `hci1`. Numbers may change when the machine starts.
    case named(String)
    /// Upper case, as BlueZ writes it.
    case address(String)

    public func allows(_ adapter: Adapter) -> Bool {
        switch self {
        case .any: true
        case .named(let name): adapter.name == name
        case .address(let address): adapter.address == address
        }
    }
}
