import DBus
import EventLoop
import Testing

@testable import VirtualBlueZ

/// A simulated BlueZ on a bus of its own, and a plain client that speaks to it.
struct Rig: Sendable {
    let loop: EventLoop
    let bus: PrivateBus
    let bluez: VirtualBlueZ
    let client: Bus

    static let adapter: ObjectPath = "/org/bluez/hci0"
    /// The first strip of a `World(strips:)`.
    static let device: ObjectPath = "/org/bluez/hci0/dev_FF_FF_38_5B_40_65"
    static let commands: ObjectPath = "/org/bluez/hci0/dev_FF_FF_38_5B_40_65/service000c/char000d"
    static let reports: ObjectPath = "/org/bluez/hci0/dev_FF_FF_38_5B_40_65/service000f/char0010"

    // MARK: Calls

    @discardableResult
    func call(
        _ member: String, _ arguments: [DBusValue] = [], on path: ObjectPath = Rig.adapter,
        _ interface: Interface = .adapter, as other: Bus? = nil
    ) async throws -> [DBusValue] {
        try await (other ?? client).call(
            MethodCall(
                to: "org.bluez", path: path, interface: interface.rawValue, member: member, arguments: arguments),
            timeout: nil)
    }

    @discardableResult
    func onDevice(_ member: String, _ path: ObjectPath = Rig.device, as other: Bus? = nil) async throws -> [DBusValue] {
        try await call(member, on: path, .device, as: other)
    }

    @discardableResult
    func onReports(_ member: String, _ arguments: [DBusValue] = [], as other: Bus? = nil) async throws -> [DBusValue] {
        try await call(member, arguments, on: Rig.reports, .characteristic, as: other)
    }

    func write(_ frame: String, type: String? = nil, to path: ObjectPath = Rig.commands) async throws {
        let options = type.map { ["type": DBusValue.string($0)] } ?? [:]
        try await call("WriteValue", [.bytes(try bytes(frame)), .options(options)], on: path, .characteristic)
    }

    func set(_ property: String, _ value: DBusValue, on path: ObjectPath, _ interface: Interface) async throws {
        try await call(
            "Set", [.string(interface.rawValue), .string(property), .variant(value)], on: path, .properties)
    }

    func get(_ property: String, on path: ObjectPath, _ interface: Interface) async throws -> DBusValue? {
        let reply = try await call("Get", [.string(interface.rawValue), .string(property)], on: path, .properties)
        if case .variant(let value)? = reply.first { return value }
        return nil
    }

    func managedPaths() async throws -> [String] {
        let reply = try await client.call(
            MethodCall(
                to: "org.bluez", path: "/", interface: "org.freedesktop.DBus.ObjectManager",
                member: "GetManagedObjects"))
        guard case .dict(_, let pairs)? = reply.first else { return [] }
        return pairs.compactMap { if case .objectPath(let path) = $0.0 { path.text } else { nil } }
    }

    // MARK: Steps that many tests begin with

    /// Discovers until each strip of the world has an object, then stops.
    func discover() async throws {
        try await call("StartDiscovery")
        var missing = await (0..<bluez.stripCount).map { "+ hci0/dev_" + digits(of: $0) + " Device1" }
        var mark = 0
        while let next = missing.first {
            let lines = await bluez.transcript(from: mark, upTo: " Device1")
            mark += lines.count
            missing.removeAll { lines.contains($0) || $0 == next && lines.contains(next) }
        }
        try await call("StopDiscovery")
    }

    private func digits(of strip: Int) -> String {
        StripDescription(index: strip).address.replacing(":", with: "_")
    }

    /// Connects to the first strip and waits for its services.
    func connect() async throws {
        let mark = await bluez.transcriptMark
        try await onDevice("Connect")
        _ = await bluez.transcript(from: mark, upTo: "ServicesResolved: true}")
    }

    func discoverAndConnect() async throws {
        try await discover()
        try await connect()
    }

    /// What leaves for the clients from now until a line with this end, the device's path shortened to `DEV`.
    func transcript(
        upTo ending: String, _ action: @Sendable () async throws -> Void
    ) async rethrows -> [String] {
        let mark = await bluez.transcriptMark
        try await action()
        return await bluez.transcript(from: mark, upTo: ending).map(shortened)
    }

    func shortened(_ line: String) -> String { line.replacing("hci0/dev_FF_FF_38_5B_40_65", with: "DEV") }
}

/// Runs `body` with a world on a bus, and puts both away whatever happens.
func withRig(
    _ world: World = World(strips: 1, timing: .fast), _ body: @Sendable (Rig) async throws -> Void
) async throws {
    let loop = try EventLoop(name: "virtual")
    defer { loop.stop() }
    let bus = try PrivateBus()
    defer { bus.stop() }
    let bluez = VirtualBlueZ(busAddress: bus.address, on: loop, world: world)
    try await bluez.start()
    let client = try await Bus.open(bus.address, on: loop)
    let result: Result<Void, any Error>
    do {
        try await body(Rig(loop: loop, bus: bus, bluez: bluez, client: client))
        result = .success(())
    } catch {
        result = .failure(error)
    }
    await client.close()
    await bluez.stop()
    try result.get()
}

/// A world of one strip that differs from the others.
func oneStrip(
    timing: VirtualTiming = .fast, _ change: (inout StripDescription) -> Void = { _ in }
) -> World {
    var strip = StripDescription(index: 0)
    change(&strip)
    return World(strips: [strip], timing: timing)
}

extension VirtualTiming {
    /// `.fast`, but for what `change` says.
    static func fast(_ change: (inout VirtualTiming) -> Void) -> VirtualTiming {
        var timing = VirtualTiming.fast
        change(&timing)
        return timing
    }
}

/// "56 ff 00" as bytes.
func bytes(_ text: String) throws -> [UInt8] {
    try text.split(separator: " ").map { try #require(UInt8($0, radix: 16), "in \(text)") }
}

/// The error that a call is answered with.
func error(of body: () async throws -> Void) async -> String {
    do {
        try await body()
        return "ok"
    } catch {
        return "\(error)"
    }
}
