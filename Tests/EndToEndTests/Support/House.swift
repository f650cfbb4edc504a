import EventLoop
import Glibc
import Testing
import VirtualBlueZ

/// A house with strips in it: a private bus, a simulated BlueZ, the real `stripd`, and `stripctl` to call.
struct House: Sendable {
    let loop: EventLoop
    let bus: PrivateBus
    let bluez: VirtualBlueZ
    let directory: String
    let daemon: RunningProgram

    var socket: String { directory + "/stripd.sock" }
    var state: String { directory + "/state" }

    /// Runs `body` in a house of its own, and ends all of it afterwards.
    static func with(
        _ world: World, arguments: [String] = [], _ body: @Sendable (House) async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "house")
        let bus = try PrivateBus()
        let bluez = VirtualBlueZ(busAddress: bus.address, on: loop, world: world)
        try await bluez.start()
        let directory = try makeTemporaryDirectory()
        let daemon = try await startDaemon(in: directory, bus: bus.address, arguments, on: loop)
        let house = House(loop: loop, bus: bus, bluez: bluez, directory: directory, daemon: daemon)
        let failure: (any Error)?
        do {
            try await body(house)
            failure = nil
        } catch {
            failure = error
        }
        await house.daemon.signal(SIGTERM)
        let end = await house.daemon.end()
        await bluez.stop()
        bus.stop()
        removeTree(directory)
        loop.stop()
        if let failure { throw failure }
        #expect(end.status == 0, "stripd did not stop cleanly: \(end.errors)")
    }

    /// Strips that answer without the delays of a radio.
    static func with(
        strips: Int, arguments: [String] = [], _ body: @Sendable (House) async throws -> Void
    ) async throws {
        try await with(World(strips: strips, timing: .fast), arguments: arguments, body)
    }

    static func startDaemon(
        in directory: String, bus: String, _ arguments: [String], on loop: EventLoop
    ) async throws -> RunningProgram {
        let daemon = try await RunningProgram.start(
            binary("stripd"),
            ["--bus", bus, "--socket", directory + "/stripd.sock", "--state", directory + "/state"] + arguments,
            environment: [:], on: loop)
        let isUp = await daemon.says("listening on", inErrors: true)
        if !isUp { Issue.record("stripd did not start: \(await daemon.end().errors)") }
        return daemon
    }

    /// Runs stripctl to its end.
    @discardableResult
    func stripctl(_ words: String..., environment: [String: String] = [:]) async throws -> ProgramResult {
        try await stripctl(words, environment: environment)
    }

    @discardableResult
    func stripctl(_ words: [String], environment: [String: String] = [:]) async throws -> ProgramResult {
        try await start(words, environment: environment).end()
    }

    /// Starts stripctl and leaves it running.
    func start(_ words: [String], environment: [String: String] = [:]) async throws -> RunningProgram {
        try await RunningProgram.start(
            binary("stripctl"), ["--socket", socket] + words, environment: environment, on: loop)
    }
}

/// A program from the directory of the running tests.
func binary(_ name: String) -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer[..<max(length, 0)], as: UTF8.self)
    // swiftpm-testing-helper runs the bundle: the bundle's own path is among the arguments then.
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? path
    return String(bundle[..<(bundle.lastIndex(of: "/") ?? bundle.startIndex)]) + "/" + name
}

func makeTemporaryDirectory() throws -> String {
    var template = Array("/tmp/stripd-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno.last }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func removeTree(_ path: String) {
    guard let entries = opendir(path) else { return }
    while let entry = readdir(entries) {
        let name = withUnsafePointer(to: entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard name != ".", name != ".." else { continue }
        if entry.pointee.d_type == UInt8(DT_DIR) { removeTree(path + "/" + name) } else { unlink(path + "/" + name) }
    }
    closedir(entries)
    rmdir(path)
}
