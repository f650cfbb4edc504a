import BlueZ
import EventLoop
import Glibc
import HTTPServer
import StripAPI
import StripCore
import StripModel
import VirtualBlueZ

/// Starts the parts of the daemon in order, waits for a signal, and ends them in the reverse order.
struct Life: Sendable {
    let options: Options
    let places: Places
    let environment: [String: String]
    let log: Log
    let loop: EventLoop

    /// - Returns: the exit status.
    func run() async -> Int32 {
        do {
            let signals = try loop.signals([SIGTERM, SIGINT])
            let simulation = try await options.simulate.asyncMap { try await Simulation.start(strips: $0, on: loop) }
            do {
                try await serve(until: signals, simulation)
            } catch {
                await simulation?.stop()
                throw error
            }
            await simulation?.stop()
            log(.info, "stopped")
            return 0
        } catch {
            log(.error, "\(error)")
            return 1
        }
    }

    private func serve(until signals: AsyncStream<Int32>, _ simulation: Simulation?) async throws {
        try prepareState()
        let listener = try ListeningSocket.unix(path: places.socket, mode: places.socketMode)
        var timing = StripCore.Timing()
        timing.keepLink = options.keepLink
        let bluez = BlueZClient(busAddress: simulation?.address ?? busAddress, on: loop)
        let registry = StripRegistry(
            bluez: bluez, store: StripStore(directory: places.stateDirectory), choice: options.adapter, timing: timing,
            log: log, on: loop)
        let router = Router(
            strips: StripHandlers(registry: registry, timing: timing, loop: loop),
            house: HouseHandlers(registry: registry, bluez: bluez), log: log)
        let server = WebServer(on: loop, refusal: Self.refusal) { await router.answer($0) }
        let parts = [
            Task(executorPreference: loop) { await bluez.run() },
            Task(executorPreference: loop) { await registry.run() },
            Task(executorPreference: loop) { await logFrames(of: simulation) },
        ]
        do {
            try await server.listen(on: listener)
            log(.info, "listening on \(places.socket), strips kept in \(places.stateDirectory)")
            notifySystemd("READY=1\nSTATUS=serving \(places.socket)")
            for await signal in signals {
                log(.info, "stopping: got signal \(signal)")
                break
            }
        } catch {
            await server.stop()
            for part in parts { part.cancel() }
            throw error
        }
        notifySystemd("STOPPING=1")
        await registry.stop()
        await server.drain(within: .seconds(2))
        for part in parts {
            part.cancel()
            await part.value
        }
    }

    private var busAddress: String {
        options.bus ?? environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=/run/dbus/system_bus_socket"
    }

    /// A state directory that cannot be made is reported and does not stop the light.
    private func prepareState() throws {
        do throws(Errno) {
            try makeDirectory(places.stateDirectory)
        } catch {
            log(.error, "\(places.stateDirectory) cannot be made: \(error); the known strips will not be kept")
        }
    }

    /// Says what the simulated strips receive, so that one can see the light without one.
    private func logFrames(of simulation: Simulation?) async {
        guard let simulation else { return }
        await withTaskGroup(of: Void.self) { group in
            for strip in 0..<(await simulation.bluez.stripCount) {
                group.addTask(executorPreference: loop) { await logFrames(of: strip, in: simulation.bluez) }
            }
        }
    }

    private func logFrames(of strip: Int, in bluez: VirtualBlueZ) async {
        let address = await bluez.description(of: strip).address.lowercased()
        for await entry in await bluez.events(of: strip) {
            guard case .frame(let frame) = entry.event else { continue }
            log(.info, "strip \(address) received \(frame) (\(frame.type))\(frame.ignored ? ", ignored" : "")")
        }
    }

    /// What the server itself refuses has the same shape as every other error.
    private static let refusal: WebServer.Refusal = { status, sentence in
        let kind: Problem.Kind =
            switch status {
            case 413, 414, 431: .tooLarge
            case 503: .busy
            default: .malformed
            }
        var problem = Problem(kind, sentence)
        problem.status = status
        return .problem(problem)
    }
}

extension Optional {
    fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        if case .some(let value) = self { return try await transform(value) }
        return nil
    }
}
