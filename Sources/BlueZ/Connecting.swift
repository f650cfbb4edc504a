import DBus
import EventLoop

// The life of the connection to the bus, and of bluetoothd at its other end.

private let objectManager = "org.freedesktop.DBus.ObjectManager"
private let busName = "org.freedesktop.DBus"

extension BlueZClient {
    /// Keeps the mirror up to date until the task is cancelled: reopens a bus that was lost, reads everything anew from
    /// a bluetoothd that was restarted. Ends all streams at last. To be called once.
    public func run() async {
        var delay = timing.retry.lowerBound
        while !Task.isCancelled {
            do {
                let bus = try await Bus.open(busAddress, on: loop)
                let (error, worked) = await serve(bus)
                await bus.close()
                lose(error)
                if worked { delay = timing.retry.lowerBound }
            } catch {
                lose(error)
            }
            try? await loop.sleep(for: delay)  // throws when cancelled, and then the loop ends
            delay = min(delay * 2, timing.retry.upperBound)
        }
        endStreams()
    }

    /// Returns why the bus can no longer be used, and whether it could be at all.
    private func serve(_ bus: Bus) async -> (error: any Error, worked: Bool) {
        do {
            // Both before anything is asked: a change that comes after the answer is never missed.
            let owners = try await bus.signals(
                matching: MatchRule(
                    sender: busName, interface: busName, member: "NameOwnerChanged", firstArgument: "org.bluez"))
            let signals = try await bus.signals(matching: MatchRule(sender: "org.bluez"))
            let owner = try await bus.owner(of: "org.bluez")
            self.bus = bus
            if owner == nil { set(.absent) }
            ownerIs(owner)
            if owner == nil { activate(on: bus) }
            return await withTaskGroup(of: (any Error).self) { group in
                group.addTask(executorPreference: loop) { await self.follow(owners: owners) }
                group.addTask(executorPreference: loop) { await self.follow(signals: signals) }
                let error = await group.next() ?? CancellationError()
                group.cancelAll()
                return (error, true)
            }
        } catch {
            return (error, false)
        }
    }

    /// Asks the bus to start bluetoothd, once in our life: whoever stops it later means it. What comes of it, the
    /// change of owner tells.
    private func activate(on bus: Bus) {
        guard !activated else { return }
        activated = true
        let start = MethodCall(
            to: busName, path: "/org/freedesktop/DBus", interface: busName, member: "StartServiceByName",
            arguments: [.string("org.bluez"), .uint32(0)])
        Task(executorPreference: loop) {
            _ = try? await bus.call(start)  // a bluetoothd that cannot be started is one that is absent
        }
    }

    private func follow(owners: AsyncThrowingStream<Signal, any Error>) async -> any Error {
        do {
            for try await signal in owners {
                guard signal.arguments.count == 3, case .string("org.bluez") = signal.arguments[0],
                    case .string(let owner) = signal.arguments[2]
                else { continue }
                ownerIs(owner.isEmpty ? nil : owner)
            }
            return CancellationError()
        } catch { return error }
    }

    private func follow(signals: AsyncThrowingStream<Signal, any Error>) async -> any Error {
        do {
            for try await signal in signals { take(signal) }
            return CancellationError()
        } catch { return error }
    }

    /// Signals of an earlier owner are too late, and what a coming owner says is part of its first reply.
    private func take(_ signal: Signal) {
        guard signal.sender == owner else { return }
        if early == nil { publish(tree.apply(signal)) } else { early?.append(signal) }
    }

    private func ownerIs(_ new: String?) {
        guard new != owner else { return }
        let hadOwner = owner != nil
        generation += 1
        owner = new
        loading?.cancel()
        loading = nil
        early = []
        if hadOwner || new == nil { set(.absent) }
        endCalls(because: .vanished("bluetoothd went away")) { _ in true }
        publish(tree.removeAll())
        guard let new, let bus else { return }
        let generation = generation
        loading = Task(executorPreference: loop) { await self.load(from: new, on: bus, generation) }
    }

    /// Reads all objects, and tries again if that fails while the owner stays.
    private func load(from owner: String, on bus: Bus, _ generation: UInt64) async {
        let call = MethodCall(to: owner, path: "/", interface: objectManager, member: "GetManagedObjects")
        var delay = timing.retry.lowerBound
        while generation == self.generation, !Task.isCancelled {
            do {
                let reply = try await bus.call(call, timeout: timing.other)
                await loop.turn()  // the signals that came before the reply are among the early ones then
                guard generation == self.generation else { return }
                // Some of the early signals are older than the reply. In order they lead to what the reply says.
                let signals = early ?? []
                early = nil
                let changes = tree.apply(managedObjects: reply.first) + signals.flatMap { tree.apply($0) }
                set(.present)
                return publish(changes)
            } catch {
                guard generation == self.generation else { return }
                set(isDenied(error) ? .notAllowed("\(error)") : .absent)
            }
            try? await loop.sleep(for: delay)  // throws when cancelled, and then the loop ends
            delay = min(delay * 2, timing.retry.upperBound)
        }
    }

    private func lose(_ error: any Error) {
        let why = error is CancellationError ? "stopped" : "\(error)"
        bus = nil
        owner = nil
        generation += 1
        loading?.cancel()
        loading = nil
        early = []
        set(isDenied(error) ? .notAllowed(why) : .noBus(why))
        endCalls(because: .noBus(why)) { _ in true }
        publish(tree.removeAll())
    }

    private func set(_ new: Presence) {
        guard new != presence else { return }
        presence = new
        tell(.presence(new))
    }
}

private func isDenied(_ error: any Error) -> Bool {
    (error as? BusError).map { BlueZError($0).kind == .accessDenied } ?? false
}
