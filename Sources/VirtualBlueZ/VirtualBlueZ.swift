import DBus
public import EventLoop

/// A simulated `org.bluez`: adapters, and strips in their range, behind a real bus. It behaves as bluetoothd 5.66 was
/// recorded to behave, with its order of replies and signals, and its errors word for word.
///
/// Everything happens on the loop's thread, one thing at a time, as in bluetoothd itself: a reply and the signals
/// around it leave in the order in which they are written down here. Strips are named by their index in the `World`.
public actor VirtualBlueZ {
    let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let busAddress: String
    let timing: VirtualTiming
    var adapters: [VirtualAdapter]
    var strips: [VirtualStrip]
    var devices: [ObjectPath: VirtualDevice] = [:]
    /// Devices that bluetoothd keeps on disk, by adapter and strip.
    var stored: [StoredDevice.Key: StoredDevice] = [:]
    var calls = Log<RecordedCall>()
    var sent = Log<String>()
    var plans: [PlannedAnswer] = []
    var denied = false

    private var bus: Bus?
    private var departures: Task<Void, Never>?
    private var alarms: [Alarm: TimerID] = [:]
    private var lastAlarm: Alarm = 0

    typealias Alarm = UInt64

    /// - Parameter busAddress: where `start()` connects, as in `unix:path=…`.
    public init(busAddress: String, on loop: EventLoop, world: World) {
        self.busAddress = busAddress
        self.loop = loop
        timing = world.timing
        adapters = world.adapters.map(VirtualAdapter.init)
        strips = world.strips.map(VirtualStrip.init)
    }

    /// Connects to the bus and becomes the owner of `org.bluez`. The adapters follow after `VirtualTiming.adapterAppears`.
    /// May be called again after `stop()` or `kill()`: bluetoothd was started again.
    public func start() async throws {
        guard bus == nil else { return }
        let bus = try await Bus.open(busAddress, on: loop)
        self.bus = bus
        do {
            await bus.serve(answering: { call, reply in self.assumeIsolated { $0.receive(call, reply) } })
            let owners = try await bus.signals(
                matching: MatchRule(
                    sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged"))
            departures = Task(executorPreference: loop) { await self.followDepartures(owners) }
            if timing.adapterAppears == .zero { adaptersAppear() }
            try await bus.requestName("org.bluez")
            added(Self.root)
            if timing.adapterAppears > .zero { after(timing.adapterAppears) { $0.adaptersAppear() } }
        } catch {
            close()
            throw error
        }
    }

    /// Ends as bluetoothd does on SIGTERM: power, links, objects and the name go, in this order.
    public func stop() async {
        guard let bus else { return }
        cancelAlarms()
        shutDown()
        try? await bus.releaseName("org.bluez")  // a bus that is gone has forgotten the name already
        close()
    }

    /// Ends as bluetoothd does on SIGKILL: the connection closes, and nothing else is said.
    public func kill() {
        cancelAlarms()
        for index in adapters.indices where adapters[index].present {
            store(devicesOf: index)
            adapters[index].leftPowered = adapters[index].powered
        }
        for strip in strips.indices where strips[strip].link != nil { unlink(strip) }
        close()
    }

    private func close() {
        cancelAlarms()
        departures?.cancel()
        departures = nil
        for index in adapters.indices { adapters[index].stopServing() }
        for strip in strips.indices { strips[strip].resting = false }  // the alarms that would have said so are gone
        devices = [:]
        bus?.assumeIsolated { $0.close() }
        bus = nil
    }

    private func followDepartures(_ owners: AsyncThrowingStream<Signal, any Error>) async {
        do {
            for try await signal in owners {
                guard case .string(let name)? = signal.arguments.first, name.hasPrefix(":"),
                    case .string("")? = signal.arguments.last
                else { continue }
                clientLeft(name)
            }
        } catch {
            // The bus went away: there is nobody left to serve.
            close()
        }
    }

    // MARK: Time

    /// Acts once, `delay` from now; those due at the same time act in the order in which they were asked for.
    @discardableResult
    func after(_ delay: Duration, _ act: @escaping @Sendable (isolated VirtualBlueZ) -> Void) -> Alarm {
        lastAlarm += 1
        let alarm = lastAlarm
        alarms[alarm] = loop.schedule(after: delay) {
            self.assumeIsolated {
                $0.alarms[alarm] = nil
                act($0)
            }
        }
        return alarm
    }

    func cancel(_ alarm: inout Alarm?) {
        if let set = alarm, let timer = alarms.removeValue(forKey: set) { loop.cancel(timer) }
        alarm = nil
    }

    private func cancelAlarms() {
        for timer in alarms.values { loop.cancel(timer) }
        alarms = [:]
    }

    var now: Duration { loop.now }

    // MARK: Signals

    func emit(_ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [DBusValue]) {
        let signal = Signal(path: path, interface: interface, member: member, arguments: arguments)
        bus?.assumeIsolated { try? $0.emit(signal) }  // a bus that is gone has no listeners either
    }

    /// `PropertiesChanged`.
    func changed(_ path: ObjectPath, _ interface: Interface, _ properties: Properties, invalidated: [String] = []) {
        noteChange(path, properties, invalidated: invalidated)
        emit(
            path, Interface.properties.rawValue, "PropertiesChanged",
            [
                .string(interface.rawValue), properties.value, .strings(invalidated),
            ])
    }
}
