import DBus
import EventLoop
import VirtualBlueZ

/// A private message bus and a loop for one test. Both end with it.
func withBus<Value: Sendable>(
    denying denied: [String] = [], limits: [String: Int] = [:],
    _ body: @escaping @Sendable (TestBus) async throws -> Value
) async throws -> Value {
    let daemon = try PrivateBus(denying: denied, limits: limits)
    let loop = try EventLoop(name: "test")
    defer {
        loop.stop()
        daemon.stop()
    }
    return try await Task(executorPreference: loop) {
        let bus = TestBus(daemon: daemon, loop: loop)
        do {
            let value = try await body(bus)
            await bus.closeAll()
            return value
        } catch {
            await bus.closeAll()
            throw error
        }
    }.value
}

/// The bus of a test, and the connections that the test opened.
actor TestBus {
    nonisolated let daemon: PrivateBus
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var opened: [Bus] = []

    init(daemon: PrivateBus, loop: EventLoop) { (self.daemon, self.loop) = (daemon, loop) }

    func connect() async throws -> Bus {
        let bus = try await Bus.open(daemon.address, on: loop)
        opened.append(bus)
        return bus
    }

    /// A connection that owns `test.Service` and answers calls with `handler`.
    @discardableResult
    func serve(
        _ handler: @escaping @Sendable (MethodCall) async throws -> [DBusValue]
    ) async throws -> Bus {
        let bus = try await connect()
        await bus.serve(handler)
        try await bus.requestName("test.Service")
        return bus
    }

    func closeAll() async {
        for bus in opened { await bus.close() }
    }
}

extension MethodCall {
    /// A call to what `TestBus.serve` offers.
    static func test(_ member: String, _ arguments: [DBusValue] = []) -> MethodCall {
        MethodCall(to: "test.Service", path: "/test", interface: "test.Interface", member: member, arguments: arguments)
    }
}

extension Signal {
    static func test(_ member: String, _ arguments: [DBusValue] = [], path: ObjectPath = "/test") -> Signal {
        Signal(path: path, interface: "test.Interface", member: member, arguments: arguments)
    }
}

/// A door that tasks wait at until it is opened.
final class Gate: Sendable {
    private let opening = AsyncStream.makeStream(of: Void.self)
    func open() { opening.continuation.finish() }
    func pass() async { for await _ in opening.stream {} }
}

/// Runs `body`, which must throw a `BusError`, and returns that.
func busError(_ body: () async throws -> Void) async -> BusError {
    do {
        try await body()
        return BusError(name: "none", message: "nothing was thrown")
    } catch let error as BusError {
        return error
    } catch {
        return BusError(name: "other", message: "\(error)")
    }
}
