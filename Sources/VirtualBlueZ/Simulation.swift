public import EventLoop

/// Strips to try the daemon with: a private bus, and a simulated `org.bluez` on it. Two parts that end together.
public struct Simulation: Sendable {
    /// The strips, for those who want to see their light or play tricks on them.
    public let bluez: VirtualBlueZ
    private let bus: PrivateBus

    /// Where a client of BlueZ should connect.
    public var address: String { bus.address }

    /// Starts with `count` strips of the default kind, in real time.
    public static func start(strips count: Int, on loop: EventLoop) async throws -> Simulation {
        try await start(World(strips: count), on: loop)
    }

    public static func start(_ world: World, on loop: EventLoop) async throws -> Simulation {
        let bus = try PrivateBus()
        let bluez = VirtualBlueZ(busAddress: bus.address, on: loop, world: world)
        do {
            try await bluez.start()
        } catch {
            bus.stop()
            throw error
        }
        return Simulation(bluez: bluez, bus: bus)
    }

    /// Links, objects, name and bus go, in this order.
    public func stop() async {
        await bluez.stop()
        bus.stop()
    }
}
