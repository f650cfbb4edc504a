import BlueZ
import EventLoop
import StripCore
import StripModel

/// Says in the log whether strips can be reached, and why not: once that has stood for a moment. While a computer starts
/// or a dongle is plugged in it changes several times, and none of them is worth a line.
actor ReachLog {
    private let registry: StripRegistry
    private let bluez: BlueZClient
    private let log: Log
    private let moment: Duration
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private var timer: TimerID?
    private var said: Reach?

    private enum Reach: Hashable {
        case adapters([String])
        case nothing(FailureCause)
    }

    init(
        registry: StripRegistry, bluez: BlueZClient, log: Log, moment: Duration = .milliseconds(1500),
        on loop: EventLoop
    ) {
        self.registry = registry
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
        let cause = await registry.unavailableCause()
        let usable = await registry.adapters().filter(\.inUse).map(\.name)
        let reach = cause.map { Reach.nothing($0) } ?? .adapters(usable)
        guard reach != said, timer != nil else { return }
        said = reach
        switch reach {
        case .adapters(let names): log(.notice, "strips are reached through \(names.joined(separator: ", "))")
        case .nothing(let cause): log(.notice, "no strip can be reached: \(cause.explanation)")
        }
    }
}
