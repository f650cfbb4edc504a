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
    /// The bus to use where nothing is simulated.
    let busAddress: String
    let log: Log
    let loop: EventLoop

    /// - Returns: the exit status.
    func run() async -> Int32 {
        do {
            let signals = try loop.signals(Daemon.endingSignals)
            prepareState()
            // First of all, so that a second daemon ends before it has done anything.
            let listener = try ListeningSocket.unix(
                path: places.socket, mode: places.socketMode, creatingParent: places.createsSocketDirectory)
            let simulation: Simulation?
            let claim: DirectoryClaim?
            do {
                claim = try StripStore(directory: places.stateDirectory).claim()
                simulation = try await simulate()
            } catch {
                listener.close()
                throw error
            }
            do {
                try await serve(on: listener, simulation, until: signals)
            } catch {
                await simulation?.stop()
                throw error
            }
            await simulation?.stop()
            withExtendedLifetime(claim) {}
            log(.info, "stopped")
            return 0
        } catch {
            log(.error, "\(error)")
            return 1
        }
    }

    private func simulate() async throws -> Simulation? {
        guard let count = options.simulate else { return nil }
        return try await Simulation.start(strips: count, on: loop)
    }

    private func serve(
        on listener: ListeningSocket, _ simulation: Simulation?, until signals: AsyncStream<Int32>
    ) async throws {
        let parts = Parts(self, simulation)
        await parts.registry.takeInKeptStrips()
        let events = await parts.bluez.events()
        let running = parts.run(with: simulation)
        // BlueZ's first answer, or that there is nobody to ask.
        let answered = Task(executorPreference: loop) { for await case .presence in events { break } }
        await wait(for: answered, atMost: .seconds(2))  // whoever calls meanwhile waits at the socket
        await parts.registry.worldChanged()
        do {
            try await parts.server.listen(on: listener)
        } catch {
            listener.close()
            await parts.stop(running)
            throw error
        }
        log(.info, "listening on \(places.socket), strips kept in \(places.stateDirectory)")
        let ready = Task(executorPreference: loop) {
            await answered.value
            if !Task.isCancelled { notifySystemd("READY=1\nSTATUS=serving \(places.socket)") }
        }
        for await signal in signals {
            log(.info, "stopping: got signal \(signal)")
            break
        }
        notifySystemd("STOPPING=1")
        ready.cancel()
        answered.cancel()
        await parts.stop(running)
    }

    /// Waits for a task to end, but no longer than this.
    private func wait(for task: Task<Void, Never>, atMost limit: Duration) async {
        let (waiting, end) = AsyncStream.makeStream(of: Never.self)
        let timer = loop.schedule(after: limit) { end.finish() }
        Task(executorPreference: loop) {
            await task.value
            end.finish()
        }
        for await _ in waiting {}
        loop.cancel(timer)
    }

    /// A state directory that cannot be made is reported and does not stop the light.
    private func prepareState() {
        do throws(Errno) {
            try makeDirectory(places.stateDirectory)
        } catch {
            log(.error, "\(places.stateDirectory) cannot be made: \(error); the known strips will not be kept")
        }
        if access(places.stateDirectory, W_OK) != 0 {
            log(
                .error,
                "\(places.stateDirectory) cannot be written to: \(Errno.last); the known strips will not be kept")
        }
    }
}
