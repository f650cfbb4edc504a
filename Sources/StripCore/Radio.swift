import BlueZ
import DBus
import EventLoop

/// Shares the adapters between everyone who wants to connect or to listen.
actor Radio {
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let bluez: BlueZClient
    private let choice: AdapterChoice
    private var turns: [ObjectPath: ConnectTurns] = [:]
    private var waiting: [UInt64: (device: ObjectPath, turn: CheckedContinuation<Bool, Never>)] = [:]
    private var listeners: Set<UInt64> = []
    private var discoveries: [ObjectPath: Task<Void, Never>] = [:]
    private var lastID: UInt64 = 0

    init(_ bluez: BlueZClient, choice: AdapterChoice, on loop: EventLoop) {
        self.bluez = bluez
        self.choice = choice
        self.loop = loop
    }

    /// The powered adapters that may be used, in the order of their names.
    func usableAdapters() async -> [Adapter] {
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

    /// Connects when it is this device's turn. Our own discovery pauses meanwhile.
    func connect(_ device: Device) async throws(BlueZError) {
        lastID += 1
        let id = lastID
        let isGranted = await withCheckedContinuation { turn in
            waiting[id] = (device.path, turn)
            grant(turns[device.adapter, default: ConnectTurns()].want(id))
        }
        guard isGranted else { throw BlueZError(kind: .cancelled, name: "", message: "withdrawn before it began") }
        do {
            try await bluez.connect(device.path)
            end(id, on: device.adapter, collided: false)
        } catch {
            end(id, on: device.adapter, collided: error.kind == .inProgress || error.kind == .aborted)
            throw error
        }
    }

    /// Takes back a `connect` that still waits for its turn. False if none waits.
    func withdrawConnect(to device: ObjectPath) -> Bool {
        guard let (id, entry) = waiting.first(where: { $0.value.device == device }) else { return false }
        waiting[id] = nil
        for adapter in turns.keys { turns[adapter]?.withdraw(id) }
        entry.turn.resume(returning: false)
        return true
    }

    private func end(_ id: UInt64, on adapter: ObjectPath, collided: Bool) {
        grant(turns[adapter]?.ended(id, collided: collided) ?? [])
    }

    private func grant(_ ids: [UInt64]) {
        for id in ids { waiting.removeValue(forKey: id)?.turn.resume(returning: true) }
    }

    // MARK: Listening

    /// Discovery runs on every usable adapter until the same number is given to `stopListening`. What is heard comes
    /// as `BlueZEvent.device`.
    func startListening() async -> UInt64 {
        lastID += 1
        let id = lastID
        listeners.insert(id)
        await adaptersChanged()
        return id
    }

    func stopListening(_ id: UInt64) async {
        listeners.remove(id)
        await adaptersChanged()
    }

    /// An adapter came, went, or changed its power.
    func adaptersChanged() async {
        let usable = Set(await usableAdapters().map(\.path))
        for (adapter, discovery) in discoveries where listeners.isEmpty || !usable.contains(adapter) {
            discovery.cancel()
            discoveries[adapter] = nil
        }
        guard !listeners.isEmpty else { return }
        for adapter in usable where discoveries[adapter] == nil {
            discoveries[adapter] = Task(executorPreference: loop) { await self.discover(on: adapter) }
        }
    }

    private func discover(on adapter: ObjectPath) async {
        do {
            for try await _ in await bluez.discover(on: adapter) {}  // what is heard comes as an event
        } catch {
            // Power lost, adapter gone, BlueZ stuck: whoever waits for a device learns that from other events.
        }
        if !Task.isCancelled { discoveries[adapter] = nil }
    }
}

/// Which adapters may be used.
public enum AdapterChoice: Hashable, Sendable {
    case any
    /// As in `hci1`. Numbers may change when the machine starts.
    case named(String)
    /// Upper case, as BlueZ writes it.
    case address(String)

    func allows(_ adapter: Adapter) -> Bool {
        switch self {
        case .any: true
        case .named(let name): adapter.name == name
        case .address(let address): adapter.address == address
        }
    }
}
