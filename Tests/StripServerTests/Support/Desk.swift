import BlueZ
import EventLoop
import FoundationEssentials
import Glibc
import HTTPServer
import StripCore
import StripModel
import Testing
import VirtualBlueZ

@testable import StripServer

/// The handlers over a registry and a simulated BlueZ, without a socket in between.
struct Desk: Sendable {
    let loop: EventLoop
    /// The other end, where there is one.
    let bluez: VirtualBlueZ
    let client: BlueZClient
    let registry: StripRegistry
    let house: HouseHandlers
    let router: Router
    let log: LogLines

    private init(
        bluez: VirtualBlueZ? = nil, busAddress: String, directory: String, _ timing: Timing,
        _ heartbeat: Duration, _ level: Log.Level, on loop: EventLoop
    ) {
        self.loop = loop
        self.bluez = bluez ?? VirtualBlueZ(busAddress: busAddress, on: loop, world: World(strips: 0))
        log = LogLines()
        let log = log.log(level)
        client = BlueZClient(busAddress: busAddress, on: loop)
        registry = StripRegistry(
            bluez: client, store: StripStore(directory: directory), choice: .any, timing: timing, log: log, on: loop)
        house = HouseHandlers(registry: registry, bluez: client, stateDirectory: directory, heartbeat: heartbeat)
        router = Router(
            registry, house: house, waiting: WaitingRoom(seats: 2, on: loop), timing: timing, log: log, on: loop)
    }

    /// Handlers that no bus stands behind: for what needs none.
    static func without(
        busAddress: String = "unix:path=/nonexistent/bus", _ body: @Sendable (Desk) async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "desk")
        defer { loop.stop() }
        let desk = Desk(
            busAddress: busAddress, directory: "/tmp", .brisk, .seconds(15), .info, on: loop)
        try await body(desk)
    }

    /// Strips that answer without the delays of a radio.
    static func with(
        strips: Int, timing: Timing = .brisk, heartbeat: Duration = .seconds(15), level: Log.Level = .info,
        _ body: @Sendable (Desk) async throws -> Void
    ) async throws {
        try await with(World(strips: strips, timing: .fast), timing: timing, heartbeat: heartbeat, level: level, body)
    }

    /// Runs `body`, and takes everything down afterwards.
    static func with(
        _ world: World, timing: Timing = .brisk, heartbeat: Duration = .seconds(15),
        level: Log.Level = .info, _ body: @Sendable (Desk) async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "desk")
        let bus = try PrivateBus()
        let bluez = VirtualBlueZ(busAddress: bus.address, on: loop, world: world)
        try await bluez.start()
        let directory = try temporaryDirectory()
        let desk = Desk(
            bluez: bluez, busAddress: bus.address, directory: directory, timing, heartbeat, level, on: loop)
        let (client, registry) = (desk.client, desk.registry)
        let events = await client.events()
        let following = Task(executorPreference: loop) { await client.run() }
        if !world.adapters.contains(where: \.powered) {
            for await event in events where event == .presence(.present) { break }
        } else {
            for await event in events { if case .adapter(let adapter) = event, adapter.powered { break } }
        }
        let keeping = Task(executorPreference: loop) { await registry.run() }
        let failure: (any Error)?
        do {
            try await body(desk)
            failure = nil
        } catch {
            failure = error
        }
        await registry.stop()
        for task in [keeping, following] {
            task.cancel()
            await task.value
        }
        await bluez.stop()
        bus.stop()
        loop.stop()
        removeTree(directory)
        if let failure { throw failure }
    }
}

extension Timing {
    /// Without the pauses that only people notice, and without what would happen by itself during a test.
    static let brisk: Timing = {
        var timing = Timing()
        timing.pace = .zero
        timing.powerFreshness = .seconds(600)
        timing.settle = .seconds(600)
        timing.save = .seconds(600)
        timing.worldGrace = .milliseconds(20)
        timing.firstScan = .seconds(3)
        timing.firstScanAfterOne = .milliseconds(500)
        return timing
    }()
}

func temporaryDirectory() throws -> String {
    var template = Array("/tmp/stripd-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno.last }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func removeTree(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)  // what is left in /tmp fails no test
}

/// What went to the log, in order; each line can be awaited. For one reader.
final class LogLines: Sendable {
    private let lines: AsyncStream<String>
    private let sink: AsyncStream<String>.Continuation

    init() { (lines, sink) = AsyncStream.makeStream(of: String.self) }

    func log(_ level: Log.Level) -> Log { Log(level) { [sink] in sink.yield("\($0): \($1)") } }

    /// The next line that contains `text`; those before it are skipped.
    func next(with text: String) async -> String? { await lines.first { $0.contains(text) } }

    /// All lines that were not read yet. Ends the log.
    func rest() async -> [String] {
        sink.finish()
        return await lines.reduce(into: []) { $0.append($1) }
    }
}
