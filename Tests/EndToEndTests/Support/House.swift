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
        let life = Task(executorPreference: loop) {
            try await bluez.start()
            if startsDaemon { try await house.startDaemon() }
            for (index, name) in adopted.enumerated() {
                try await house.type("adopt \(house.address(of: index)) \(name)")
            }
            try await body(house)
        }
        let watchdog = await house.startWatchdog { life.cancel() }
        let result = await life.result
        await house.cancel(watchdog)
        await house.end()
        await bluez.stop()
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

    private func startWatchdog(_ cancel: @escaping @Sendable () -> Void) async -> TimerID {
        await Task(executorPreference: loop) { [loop] in
            loop.schedule(after: .seconds(55)) {
                cancel()
                Task(executorPreference: loop) { await self.killAll() }
            }
        }.value
    }

    private func cancel(_ watchdog: TimerID) async {
        await Task(executorPreference: loop) { [loop] in loop.cancel(watchdog) }.value
    }

    /// Nothing that a test waits for may take this long; what waits is let go.
    private func killAll() async {
        for program in programs where !(await program.isOver) {
            let soFar = await program.soFar
            await program.signal(SIGKILL)
            print("a test took too long; \(program.name) had said: \(soFar.output)\(soFar.errors)")
        }
    }

    // MARK: The command line

    /// Types a line for stripctl and waits for its end. Words between single quotes stay together.
    @discardableResult
    func type(_ line: String, environment: [String: String] = [:], input: String? = nil) async throws -> ProgramResult {
        try await stripctl(words(of: line), environment: environment, input: input)
    }

    @discardableResult
    func stripctl(
        _ words: [String], environment: [String: String] = [:], input: String? = nil
    ) async throws -> ProgramResult {
        try await begin(words, environment: environment, input: input).end()
    }

    /// Types a line and leaves stripctl running.
    func begin(_ line: String, onTerminal: Bool = false, environment: [String: String] = [:]) async throws
        -> RunningProgram
    {
        try await begin(words(of: line), environment: environment, onTerminal: onTerminal)
    }

    func begin(
        _ words: [String], environment: [String: String] = [:], input: String? = nil, onTerminal: Bool = false
    ) async throws -> RunningProgram {
        try await start(
            "stripctl", ["--socket", socket] + words, environment: environment, input: input, onTerminal: onTerminal)
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

    /// Types a line for stripctl as a user who owns nothing here; `nil` if that user cannot run it at all.
    func asSomeoneElse(_ line: String) async throws -> RunningProgram? {
        let nobody = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]
        let test = try await start("stripctl", ["--version"], through: nobody)
        guard await test.end().status == 0 else { return nil }
        return try await start("stripctl", ["--socket", socket] + words(of: line), through: nobody)
    }

    // MARK: Looking

    /// `stripctl status TARGET --json`.
    func status(_ target: String = "desk") async throws -> JSON {
        JSON(parsing: try await type("status \(target) --json").output)
    }

    /// Waits until the events tell of a strip like this, beginning with how it is now.
    func until(
        _ target: String = "desk", _ isWanted: @escaping @Sendable (JSON) -> Bool
    ) async throws {
        let watch = try await begin("watch \(target) --json")
        let came = await watch.line {
            let event = JSON(parsing: $0)
            return isWanted(event["event"] == "snapshot" ? event["data"]["strips"][0] : event["data"])
        }
        await watch.signal(SIGTERM)
        let soFar = await watch.soFar
        if came == nil { Issue.record("the strip did not come to that: \(soFar.output)\(soFar.errors)") }
    }

    /// Waits until there is a file of this name.
    nonisolated func fileAppears(_ name: String, in directory: String) async {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC))
        defer { close(descriptor) }
        inotify_add_watch(descriptor, directory, UInt32(IN_CREATE) | UInt32(IN_MOVED_TO))
        let (changes, sink) = AsyncStream.makeStream(of: Void.self)
        sink.yield()
        await Task(executorPreference: loop) { [loop] in
            loop.watch(descriptor, for: .readable) { _ in
                var buffer = [UInt8](repeating: 0, count: 4096)
                _ = read(descriptor, &buffer, buffer.count)
                sink.yield()
            }
        }.value
        for await _ in changes where exists(directory + "/" + name) { break }
        await Task(executorPreference: loop) { [loop] in loop.unwatch(descriptor) }.value
    }

    nonisolated func address(of strip: Int) -> String { StripDescription(index: strip).address.lowercased() }

    /// What a strip has received, but for status queries.
    func frames(of strip: Int = 0) async -> [String] { await bluez.frames(of: strip).filter { $0 != Frames.query } }

    /// What a strip has received to change its light: neither power nor queries.
    func lights(of strip: Int = 0) async -> [String] {
        await frames(of: strip).filter { $0 != Frames.on && $0 != Frames.off }
    }
}

/// Frames that come up everywhere.
enum Frames {
    static let on = "cc 23 33"
    static let off = "cc 24 33"
    static let query = "ef 01 77"
    static let orange = "56 ff 88 00 00 f0 aa"
}

/// Splits at spaces, as a shell does; what stands between single quotes is one word.
private func words(of line: String) -> [String] {
    var words: [String] = []
    for (index, part) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
        if index % 2 == 1 { words.append(String(part)) } else { words += part.split(separator: " ").map(String.init) }
    }
    return words
}
