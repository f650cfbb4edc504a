import DBus
import EventLoop
import VirtualBlueZ

@testable import BlueZ

/// A scripted `org.bluez`: it shows the objects it is given, writes down each call, and answers as it is told. Unlike
/// the simulation it has no behaviour of its own.
actor FakeBlueZ {
    typealias Answer = @Sendable (MethodCall) async throws -> [DBusValue]

    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// In the order in which they came, GetManagedObjects left out.
    private(set) var calls: [MethodCall] = []
    private var answers: [String: Answer] = [:]
    private var objects: [Object] = []
    private var bus: Bus?
    private var waiting: [(member: String, count: Int, resume: CheckedContinuation<Void, Never>)] = []

    init(on loop: EventLoop) { self.loop = loop }

    func start(on address: String, showing objects: [Object] = [.hci0], owning name: String = "org.bluez") async throws
    {
        self.objects = objects
        let bus = try await Bus.open(address, on: loop)
        self.bus = bus
        await bus.serve { [weak self] in try await self?.receive($0) ?? [] }
        try await bus.requestName(name)
    }

    func stop() async {
        await bus?.close()
        bus = nil
    }

    func answer(_ member: String, with answer: @escaping Answer) { answers[member] = answer }

    func refuse(_ member: String, _ name: String, _ text: String) {
        answers[member] = { _ in throw BusError(name: name, message: text) }
    }

    func show(_ objects: [Object]) { self.objects = objects }

    func members() -> [String] { calls.map(\.member) }

    func count(of member: String) -> Int { calls.count { $0.member == member } }

    /// Returns once `member` was called `count` times since the start.
    func called(_ member: String, times count: Int = 1) async {
        await withCheckedContinuation { waiter in
            if self.count(of: member) < count { waiting.append((member, count, waiter)) } else { waiter.resume() }
        }
    }

    private func receive(_ call: MethodCall) async throws -> [DBusValue] {
        if call.member == "GetManagedObjects" {
            if let answer = answers[call.member] { return try await answer(call) }
            return [managed(objects)]
        }
        calls.append(call)
        for waiter in waiting where count(of: waiter.member) >= waiter.count { waiter.resume.resume() }
        waiting.removeAll { count(of: $0.member) >= $0.count }
        return try await answers[call.member]?(call) ?? []
    }

    // MARK: Signals

    func change(
        _ path: ObjectPath, _ interface: String, _ changed: [String: DBusValue], invalidated: [String] = []
    ) async throws {
        try await bus?.emit(.changed(path, interface, changed, invalidated: invalidated))
    }

    func add(_ object: Object) async throws { try await bus?.emit(.added(object)) }

    func remove(_ path: ObjectPath, _ interfaces: [String]) async throws {
        try await bus?.emit(.removed(path, interfaces))
    }
}

/// A door that the test opens.
actor Gate {
    private var open = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        await withCheckedContinuation { waiter in
            if open { waiter.resume() } else { waiting.append(waiter) }
        }
    }

    func unlock() {
        open = true
        for waiter in waiting { waiter.resume() }
        waiting = []
    }
}

/// A client that runs on a bus of its own, and the loop they share.
struct Stage {
    let loop: EventLoop
    let bus: PrivateBus
    let fake: FakeBlueZ
    let client: BlueZClient

    /// Runs `body` while the client runs, and takes everything down afterwards.
    static func run(
        denying denied: [String] = [], timing: BlueZClient.Timing = .init(),
        _ body: (Stage) async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "test")
        let bus = try PrivateBus(denying: denied)
        let client = BlueZClient(busAddress: bus.address, on: loop, timing: timing)
        let stage = Stage(loop: loop, bus: bus, fake: FakeBlueZ(on: loop), client: client)
        let work = Task(executorPreference: loop) { await client.run() }
        var failure: (any Error)?
        do { try await body(stage) } catch { failure = error }
        work.cancel()
        await work.value
        await stage.fake.stop()
        loop.stop()
        if let failure { throw failure }
    }

    /// The same, with BlueZ there and read.
    static func present(
        showing objects: [Object] = [.hci0], timing: BlueZClient.Timing = .init(), _ body: (Stage) async throws -> Void
    ) async throws {
        try await run(timing: timing) { stage in
            let events = await stage.client.events()
            try await stage.fake.start(on: stage.bus.address, showing: objects)
            if await stage.client.presence != .present { _ = await events.first { $0 == .presence(.present) } }
            try await body(stage)
        }
    }
}
