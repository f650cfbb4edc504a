import EventLoop
import Glibc
import Testing
import VirtualBlueZ

/// A house with strips in it: a private bus, a simulated BlueZ, the real `stripd`, and `stripctl` to call.
actor House {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    nonisolated let bus: PrivateBus
    nonisolated let bluez: VirtualBlueZ
    nonisolated let directory: String
    private let arguments: [String]
    /// What was started in this house, so that nothing outlives it.
    private var programs: [RunningProgram] = []
    private var running: RunningProgram?

    nonisolated var socket: String { directory + "/stripd.sock" }
    nonisolated var state: String { directory + "/state" }
    nonisolated var stateFile: String { state + "/strips.json" }

    private init(
        loop: EventLoop, bus: PrivateBus, bluez: VirtualBlueZ, directory: String, arguments: [String]
    ) {
        (self.loop, self.bus, self.bluez) = (loop, bus, bluez)
        (self.directory, self.arguments) = (directory, arguments)
    }

    /// Runs `body` in a house of its own, and ends all of it afterwards.
    ///
    /// - Parameters:
    ///   - arguments: more of them for `stripd`.
    ///   - adopted: names for the first strips, which are adopted before `body` begins.
    ///   - prepare: is given the house's directory before the daemon starts.
    static func with(
        _ world: World, arguments: [String] = [], adopted: [String] = [], startsDaemon: Bool = true,
        prepare: (String) throws -> Void = { _ in }, _ body: @escaping @Sendable (House) async throws -> Void
    ) async throws {
        await Street.enter()
        let failure: (any Error)?
        do {
            try await inside(world, arguments, adopted, startsDaemon, prepare, body)
            failure = nil
        } catch {
            failure = error
        }
        await Street.leave()
        if let failure { throw failure }
    }

    /// Strips that answer without the delays of a radio.
    static func with(
        strips: Int = 1, arguments: [String] = [], adopted: [String] = [],
        _ body: @escaping @Sendable (House) async throws -> Void
    ) async throws {
        try await with(World(strips: strips, timing: .fast), arguments: arguments, adopted: adopted, body)
    }

    /// One strip called `desk` that is a little different.
    static func withDesk(
        arguments: [String] = [], _ describe: (inout StripDescription) -> Void,
        _ body: @escaping @Sendable (House) async throws -> Void
    ) async throws {
        var strip = StripDescription(index: 0)
        describe(&strip)
        try await with(World(strips: [strip], timing: .fast), arguments: arguments, adopted: ["desk"], body)
    }

    private static func inside(
        _ world: World, _ arguments: [String], _ adopted: [String], _ startsDaemon: Bool,
        _ prepare: (String) throws -> Void, _ body: @escaping @Sendable (House) async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "house")
        let bus = try PrivateBus()
        let bluez = VirtualBlueZ(busAddress: bus.address, on: loop, world: world)
        let house = House(
            loop: loop, bus: bus, bluez: bluez, directory: try makeTemporaryDirectory(), arguments: arguments)
        try prepare(house.directory)
        let result = await Task(executorPreference: loop) {
            // All of it on the loop: other tests may keep the common pool busy for long.
            let life = Task(executorPreference: loop) {
                try await bluez.start()
                if startsDaemon { try await house.startDaemon() }
                for (index, name) in adopted.enumerated() {
                    try await house.type("adopt \(house.address(of: index)) \(name)")
                }
                try await body(house)
            }
            let watchdog = loop.schedule(after: .seconds(55)) {
                life.cancel()
                Task(executorPreference: loop) { await house.killAll() }
            }
            let result = await life.result
            loop.cancel(watchdog)
            await house.end()
            await bluez.stop()
            return result
        }.value
        bus.stop()
        removeTree(house.directory)
        loop.stop()
        try result.get()
    }

    // MARK: The daemon

    /// Starts `stripd` and waits until it listens.
    @discardableResult
    func startDaemon(_ more: [String] = []) async throws -> RunningProgram {
        let daemon = try await launch(more)
        if !(await daemon.says("listening on", inErrors: true)) {
            Issue.record("stripd did not start: \(await daemon.end().errors)")
        }
        running = daemon
        return daemon
    }

    /// Starts another `stripd` with the same socket and state, and does not wait for anything.
    func launch(_ more: [String] = [], environment: [String: String] = [:]) async throws -> RunningProgram {
        try await start(
            "stripd", ["--bus", bus.address, "--socket", socket, "--state", state] + arguments + more,
            environment: environment)
    }

    /// Ends the daemon as systemd does.
    @discardableResult
    func stopDaemon(_ signal: Int32 = SIGTERM) async throws -> ProgramResult {
        let daemon = try #require(running)
        running = nil
        await daemon.signal(signal)
        return await daemon.end()
    }

    /// Stops it and starts it again.
    func restartDaemon() async throws {
        let end = try await stopDaemon()
        #expect(end.status == 0, "stripd did not stop cleanly: \(end.errors)")
        try await startDaemon()
    }

    var daemon: RunningProgram? { running }

    /// What the daemon has logged so far.
    var log: String { get async { await running?.soFar.errors ?? "" } }

    private func end() async {
        let daemon = running
        for program in programs where program !== daemon { await program.signal(SIGKILL) }
        guard let daemon else { return }
        let ended = await daemon.isOver
        await daemon.signal(SIGTERM)
        let end = await daemon.end()
        #expect(!ended && end.status == 0, "stripd did not live and stop cleanly: \(end.errors)")
    }

    /// Nothing that a test waits for may take this long; what waits is let go.
    private func killAll() async {
        for program in programs where !(await program.isOver) {
            let soFar = await program.soFar
            await program.signal(SIGKILL)
            print("a test took too long; \(program.name) had said: \(soFar.output)\(soFar.errors)")
        }
    }

    /// Starts one of our programs with just these arguments.
    func start(
        _ name: String, _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
        onTerminal: Bool = false, through setpriv: [String] = []
    ) async throws -> RunningProgram {
        let program = try await RunningProgram.start(
            name, arguments, environment: environment, input: input, onTerminal: onTerminal, through: setpriv, on: loop)
        programs.append(program)
        return program
    }
}

/// Frames that come up everywhere.
enum Frames {
    static let on = "cc 23 33"
    static let off = "cc 24 33"
    static let query = "ef 01 77"
    static let orange = "56 ff 88 00 00 f0 aa"
}
