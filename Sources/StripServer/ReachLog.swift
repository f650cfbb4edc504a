import BlueZ
import EventLoop
import StripCore

/// Says in the log whether strips can be reached, and why not: once that has stood for a moment. While a computer starts
/// or a dongle is plugged in it changes several times, and none of them is worth a line.
actor ReachLog {
    private let reach: Reach
    private let bluez: BlueZClient
    private let log: Log
    private let moment: Duration
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private var timer: TimerID?
    private var said: String?

    init(
        registry: StripRegistry, bluez: BlueZClient, log: Log, moment: Duration = .milliseconds(1500),
        on loop: EventLoop
    ) {
        reach = Reach(registry: registry, bluez: bluez)
        self.bluez = bluez
        self.log = log
        self.moment = moment
        self.loop = loop
    }

    /// Follows the bus until the task is cancelled.
    func run() async {
        changed()
        for await event in await bluez.events() {
            switch event {
            case .presence, .adapter, .adapterRemoved: changed()
            case .device: break
            }
        }
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func changed() {
        if let timer { loop.cancel(timer) }
        timer = loop.schedule(after: moment) { [weak self] in
            guard let self else { return }
            Task(executorPreference: self.loop) { await self.say() }
        }
    }

    private func say() async {
        let line =
            if let problem = await reach.problem() {
                "no strip can be reached: \(problem)"
            } else {
                "strips are reached through \(await reach.adapters().joined(separator: ", "))"
            }
        guard line != said, timer != nil else { return }
        said = line
        log(.notice, line)
    }
}
