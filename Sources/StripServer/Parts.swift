import BlueZ
import EventLoop
import HTTPServer
import StripAPI
import StripCore
import VirtualBlueZ

/// What the daemon is made of, put together.
struct Parts: Sendable {
    let bluez: BlueZClient
    let registry: StripRegistry
    let server: WebServer
    private let reach: ReachLog
    private let log: Log
    private let loop: EventLoop

    init(_ life: Life, _ simulation: Simulation?) {
        let (log, loop) = (life.log, life.loop)
        (self.log, self.loop) = (log, loop)
        var timing = Timing()
        timing.keepLink = life.options.keepLink
        bluez = BlueZClient(busAddress: simulation?.address ?? life.busAddress, on: loop)
        registry = StripRegistry(
            bluez: bluez, store: StripStore(directory: life.places.stateDirectory), choice: life.options.adapter,
            timing: timing, log: log, on: loop)
        let house = HouseHandlers(registry: registry, bluez: bluez, stateDirectory: life.places.stateDirectory)
        let router = Router(registry, house: house, waiting: WaitingRoom(on: loop), timing: timing, log: log, on: loop)
        server = WebServer(on: loop, refusal: refusal) { await router.answer($0) }
        reach = ReachLog(registry: registry, bluez: bluez, log: log, on: loop)
    }

    struct Running: Sendable {
        /// Ends first, for what the stop itself causes is no news.
        var reach: Task<Void, Never>
        var others: [Task<Void, Never>]
    }

    func run(with simulation: Simulation?) -> Running {
        var others = [
            Task(executorPreference: loop) { await registry.run() },
            Task(executorPreference: loop) { await bluez.run() },
        ]
        if let simulation {
            others.append(Task(executorPreference: loop) { await logFrames(of: simulation.bluez, log, on: loop) })
        }
        return Running(reach: Task(executorPreference: loop) { await reach.run() }, others: others)
    }

    func stop(_ running: Running) async {
        running.reach.cancel()
        await running.reach.value
        await registry.stop()
        await server.drain(within: .seconds(2))
        for part in running.others {
            part.cancel()
            await part.value
        }
    }
}

/// What the server itself refuses has the same shape as every other error.
let refusal: WebServer.Refusal = { status, sentence in
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
