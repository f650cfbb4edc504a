import CDBus
import EventLoop

// Signals, in and out.

struct Subscription {
    var rules: [MatchRule]
    var sink: AsyncThrowingStream<Signal, any Error>.Continuation
    var matches: [String] = []  // what the bus has added for it
}

/// Who owns a well-known name that a rule gives as the sender.
struct Ownership {
    var users = 0
    var isKnown = false
    var owner: String?
}

extension Bus {
    /// The signals that match `rule`, from the moment this returns.
    ///
    /// The stream ends with `BusError` when the bus goes away, and when the reader falls more than `buffer` signals
    /// behind (`org.freedesktop.DBus.Error.LimitsExceeded`): a gap is never hidden. Dropping it unsubscribes.
    public func signals(
        matching rule: MatchRule, buffer: Int = 4096
    ) async throws -> AsyncThrowingStream<Signal, any Error> {
        try await signals(matchingAnyOf: [rule], buffer: buffer)
    }

    /// The signals that match at least one of `rules`, each once, in the order in which the bus sent them. Two streams
    /// would tell nothing of the order between them.
    public func signals(
        matchingAnyOf rules: [MatchRule], buffer: Int = 4096
    ) async throws -> AsyncThrowingStream<Signal, any Error> {
        for rule in rules { try rule.check() }
        let (stream, sink) = AsyncThrowingStream.makeStream(of: Signal.self, bufferingPolicy: .bufferingOldest(buffer))
        let id = nextID()
        subscriptions[id] = Subscription(rules: rules, sink: sink)  // before AddMatch returns: no signal is missed
        let senders = Set(rules.compactMap(\.wellKnownSender))
        for name in senders { owners[name, default: Ownership()].users += 1 }
        do {
            for name in senders {
                try await addMatch(.ownership(of: name), for: id)
                try await learnOwner(of: name)
            }
            for rule in rules { try await addMatch(rule, for: id) }
        } catch {
            unsubscribe(id)
            throw error
        }
        sink.onTermination = { [loop] _ in Task(executorPreference: loop) { await self.unsubscribe(id) } }
        return stream
    }

    private func addMatch(_ rule: MatchRule, for id: UInt64) async throws {
        do {
            _ = try await call(.toBus("AddMatch", [.string(rule.text)]))
        } catch let error as BusError where !error.isTimeout {
            throw error  // refused: there is nothing to remove
        } catch {
            connection?.removeMatch(rule.text)
            throw error
        }
        if subscriptions[id] == nil {
            connection?.removeMatch(rule.text)  // it ended meanwhile
        } else {
            subscriptions[id]?.matches.append(rule.text)
        }
    }

    /// The bus tells of every change from the moment that we asked for them, in order with its replies: so what a
    /// change told us is at least as new as this answer.
    private func learnOwner(of name: String) async throws {
        guard owners[name]?.isKnown == false else { return }
        let owner = try await owner(of: name)
        guard owners[name]?.isKnown == false else { return }
        owners[name]?.owner = owner
        owners[name]?.isKnown = true
    }

    private func unsubscribe(_ id: UInt64) {
        guard let subscription = subscriptions.removeValue(forKey: id) else { return }
        for name in Set(subscription.rules.compactMap(\.wellKnownSender)) {
            owners[name]?.users -= 1
            if owners[name]?.users == 0 { owners[name] = nil }
        }
        for match in subscription.matches { connection?.removeMatch(match) }
    }

    func endSubscriptions(with error: BusError) {
        let ended = subscriptions
        subscriptions = [:]
        owners = [:]
        for subscription in ended.values { subscription.sink.finish(throwing: error) }
    }

    func deliver(_ signal: Signal) {
        noteOwner(signal)
        for (id, subscription) in subscriptions where subscription.rules.contains(where: { covers($0, signal) }) {
            if case .dropped = subscription.sink.yield(signal) {
                unsubscribe(id)
                subscription.sink.finish(
                    throwing: BusError(
                        name: DBUS_ERROR_LIMITS_EXCEEDED, message: "the reader of \(signal.interface) is too slow"))
            }
        }
    }

    private func noteOwner(_ signal: Signal) {
        guard signal.sender == DBUS_SERVICE_DBUS, signal.member == "NameOwnerChanged",
            let name = signal.arguments.first?.string, owners[name] != nil,
            let owner = signal.arguments.last?.string
        else { return }
        owners[name]?.owner = owner.isEmpty ? nil : owner
        owners[name]?.isKnown = true
    }

    /// The bus sends us what any of our rules matches, and any client may send us a signal directly: so each
    /// subscription looks at the sender itself. Signals carry unique names only.
    private func covers(_ rule: MatchRule, _ signal: Signal) -> Bool {
        guard rule.coversAllButSender(signal) else { return false }
        guard let sender = rule.sender else { return true }
        return signal.sender == (rule.wellKnownSender == nil ? sender : owners[sender]?.owner)
    }

    /// Sends a signal.
    public func emit(_ signal: Signal) throws {
        try signal.check()
        let connection = try connected()
        let message = try signal.message()
        defer { dbus_message_unref(message) }
        try connection.send(message)
    }
}
