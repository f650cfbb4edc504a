import CDBus
public import EventLoop

/// A connection to a message bus. Every libdbus call happens on the loop's thread: this actor is pinned there, and the
/// loop calls libdbus's watches and timeouts there too. So libdbus needs no locks, and its callbacks may enter the
/// actor synchronously.
///
/// Nothing here ends the process: not the loss of the bus, and no malformed name, path, string or value, since all of
/// them are checked before libdbus sees them.
public actor Bus {
    private let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private var connection: Connection?  // nil once closed or lost
    private var calls: [UInt64: (pending: OpaquePointer, reply: CheckedContinuation<[DBusValue], any Error>)] = [:]
    private var subscriptions: [UInt64: Subscription] = [:]
    private var handler: (@Sendable (MethodCall) async throws -> [DBusValue])?
    private var receiver: (@Sendable (MethodCall, Answer) -> Void)?
    private var lastID: UInt64 = 0

    private struct Subscription {
        var rule: MatchRule
        var sink: AsyncThrowingStream<Signal, any Error>.Continuation
    }

    private init(loop: EventLoop) { self.loop = loop }

    /// Connects and says Hello, which blocks the loop for a moment.
    ///
    /// - Parameter address: a D-Bus server address, as in `unix:path=/run/dbus/system_bus_socket`.
    /// - Throws: `BusError` with libdbus's name and text for what went wrong.
    public static func open(_ address: String, on loop: EventLoop) async throws -> Bus {
        let bus = Bus(loop: loop)
        try await bus.start(address)
        return bus
    }

    /// Our unique name on the bus, as in `:1.7`; `nil` once the bus is gone.
    public var uniqueName: String? { connection?.uniqueName }

    /// Ends all calls and streams with `BusError.disconnected`. Must be called before the last reference is dropped.
    public func close() { fail(with: .disconnected("the connection to the bus was closed")) }

    isolated deinit { precondition(connection == nil, "Bus dropped without close()") }

    // MARK: Calls

    /// Calls a method and waits for its reply.
    ///
    /// - Parameter timeout: `nil` waits as long as the callee takes.
    /// - Throws: `BusError` for an error reply, a timeout, a lost bus or malformed arguments; `CancellationError` when
    ///   the task is cancelled first (the callee may act all the same).
    public func call(_ call: MethodCall, timeout: Duration? = .seconds(25)) async throws -> [DBusValue] {
        try call.check()
        try Task.checkCancellation()
        lastID += 1
        let id = lastID
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (reply: CheckedContinuation<[DBusValue], any Error>) in
                guard let connection, let message = call.message() else {
                    return reply.resume(throwing: BusError.disconnected("not connected to the bus"))
                }
                defer { dbus_message_unref(message) }
                guard let pending = connection.send(message, timeout: timeout) else {
                    return reply.resume(throwing: BusError.disconnected("the bus took no more messages"))
                }
                calls[id] = (pending, reply)
                // No reply can slip in between: only this thread dispatches.
                dbus_pending_call_set_notify(
                    pending, finishCall, Unmanaged.passRetained(CallRef(self, id)).toOpaque(), releaseCallRef)
            }
        } onCancel: {
            // On the loop, after the body above: it never overtakes the send and never wakes the global pool.
            Task(executorPreference: self.loop) { await self.cancel(id) }
        }
    }

    fileprivate func finish(_ id: UInt64) {
        guard let (pending, reply) = calls.removeValue(forKey: id) else { return }
        defer { dbus_pending_call_unref(pending) }
        guard let message = dbus_pending_call_steal_reply(pending) else {
            return reply.resume(throwing: BusError.disconnected("no reply"))
        }
        defer { dbus_message_unref(message) }
        let values = arguments(of: message)
        if dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_ERROR {
            let text = if case .string(let text)? = values.first { text } else { "" }
            reply.resume(throwing: BusError(name: string(dbus_message_get_error_name(message)), message: text))
        } else {
            reply.resume(returning: values)
        }
    }

    private func cancel(_ id: UInt64) {
        guard let (pending, reply) = calls.removeValue(forKey: id) else { return }
        dbus_pending_call_cancel(pending)
        dbus_pending_call_unref(pending)
        reply.resume(throwing: CancellationError())
    }

    // MARK: Signals

    /// The signals that match `rule`, from the moment this returns.
    ///
    /// The stream ends with `BusError` when the bus goes away, and when the reader falls more than `buffer` signals
    /// behind (`org.freedesktop.DBus.Error.LimitsExceeded`): a gap is never hidden. Dropping it unsubscribes.
    public func signals(
        matching rule: MatchRule, buffer: Int = 4096
    ) async throws -> AsyncThrowingStream<Signal, any Error> {
        try rule.check()
        let (stream, sink) = AsyncThrowingStream.makeStream(of: Signal.self, bufferingPolicy: .bufferingOldest(buffer))
        lastID += 1
        let id = lastID
        subscriptions[id] = Subscription(rule: rule, sink: sink)  // before AddMatch returns: no signal is missed
        do {
            _ = try await call(.toBus("AddMatch", [.string(rule.text)]))
        } catch {
            subscriptions[id] = nil
            throw error
        }
        sink.onTermination = { [loop] _ in Task(executorPreference: loop) { await self.unsubscribe(id) } }
        return stream
    }

    private func unsubscribe(_ id: UInt64) {
        guard let subscription = subscriptions.removeValue(forKey: id), let connection else { return }
        connection.removeMatch(subscription.rule.text)
    }

    /// Sends a signal.
    public func emit(_ signal: Signal) throws {
        try signal.check()
        guard let connection, let message = signal.message() else {
            throw BusError.disconnected("not connected to the bus")
        }
        defer { dbus_message_unref(message) }
        connection.send(message)
    }

    // MARK: Serving

    /// Answers every method call that arrives. What `handler` throws becomes the error reply: a `BusError` as it is,
    /// anything else as `org.freedesktop.DBus.Error.Failed`. A handler that throws `NoReply` leaves the caller waiting.
    public func serve(_ handler: @escaping @Sendable (MethodCall) async throws -> [DBusValue]) {
        self.handler = handler
    }

    /// Hands every method call that arrives to `receiver`, in order and on the loop's thread, to be answered then or
    /// later. What it sends before, with and after the answer leaves in that order, as from a daemon with one thread.
    public func serve(answering receiver: @escaping @Sendable (MethodCall, Answer) -> Void) {
        self.receiver = receiver
    }

    /// Becomes the owner of a well-known name, or throws `BusError` if another connection owns it.
    public func requestName(_ name: String) async throws {
        let doNotQueue: UInt32 = 4
        let reply = try await call(.toBus("RequestName", [.string(name), .uint32(doNotQueue)]))
        guard case .uint32(let result)? = reply.first, result == 1 || result == 4 else {
            throw BusError(name: "org.freedesktop.DBus.Error.AddressInUse", message: "\(name) has another owner")
        }
    }

    public func releaseName(_ name: String) async throws {
        _ = try await call(.toBus("ReleaseName", [.string(name)]))
    }

    /// The unique name of a well-known name's owner; `nil` when nobody owns it.
    public func owner(of name: String) async throws -> String? {
        do {
            let reply = try await call(.toBus("GetNameOwner", [.string(name)]))
            guard case .string(let owner)? = reply.first else { return nil }
            return owner
        } catch let error as BusError where error.name == DBUS_ERROR_NAME_HAS_NO_OWNER {
            return nil
        }
    }

    // MARK: Incoming

    /// One message that is no reply. True if it was taken.
    fileprivate func receive(_ message: OpaquePointer) -> Bool {
        switch dbus_message_get_type(message) {
        case DBUS_MESSAGE_TYPE_SIGNAL:
            if dbus_message_is_signal(message, DBUS_INTERFACE_LOCAL, "Disconnected") != 0 {
                fail(with: .disconnected("the bus went away"))
            } else {
                deliver(Signal(message))
            }
            return false
        case DBUS_MESSAGE_TYPE_METHOD_CALL:
            if let receiver {
                receiver(MethodCall(message), Answer(bus: self, request: MessageRef(message)))
                return true
            }
            guard let handler else { return false }
            answer(MethodCall(message), to: MessageRef(message), with: handler)
            return true
        default: return false
        }
    }

    private func deliver(_ signal: Signal) {
        for (id, subscription) in subscriptions where subscription.rule.covers(signal) {
            if case .dropped = subscription.sink.yield(signal) {
                unsubscribe(id)
                subscription.sink.finish(
                    throwing: BusError(
                        name: DBUS_ERROR_LIMITS_EXCEEDED, message: "the reader of \(signal.interface) is too slow"))
            }
        }
    }

    private func answer(
        _ call: MethodCall, to request: MessageRef,
        with handler: @escaping @Sendable (MethodCall) async throws -> [DBusValue]
    ) {
        Task(executorPreference: loop) {
            do {
                let values = try await handler(call)
                for value in values { try value.check() }
                await self.send(.success(values), to: request)
            } catch is NoReply {
            } catch let error as BusError {
                await self.send(.failure(error), to: request)
            } catch {
                await self.send(.failure(BusError(name: DBUS_ERROR_FAILED, message: "\(error)")), to: request)
            }
        }
    }

    fileprivate func send(_ result: Result<[DBusValue], BusError>, to request: MessageRef) {
        guard let connection, let reply = request.reply(result) else { return }
        defer { dbus_message_unref(reply) }
        connection.send(reply)
    }

    private func fail(with error: BusError) {
        guard let connection else { return }
        self.connection = nil
        for (pending, reply) in calls.values {
            dbus_pending_call_cancel(pending)
            dbus_pending_call_unref(pending)
            reply.resume(throwing: error)
        }
        calls = [:]
        let ended = subscriptions
        subscriptions = [:]
        for subscription in ended.values { subscription.sink.finish(throwing: error) }
        handler = nil
        receiver = nil
        connection.close()
    }

    private func start(_ address: String) throws {
        connection = try Connection(
            address, loop: loop, owner: Unmanaged.passUnretained(self).toOpaque(), filter: filter)
    }
}

/// Thrown by a handler that leaves its caller without an answer.
public struct NoReply: Error {
    public init() {}
}

/// The one answer to a call that arrived. Dropping it leaves the caller without one.
public struct Answer: Sendable {
    fileprivate let bus: Bus
    fileprivate let request: MessageRef

    /// Sends the reply at once; on the loop's thread only.
    public func send(_ values: [DBusValue] = []) {
        do {
            for value in values { try value.check() }
            bus.assumeIsolated { $0.send(.success(values), to: request) }
        } catch {
            send(error)
        }
    }

    public func send(_ error: BusError) {
        bus.assumeIsolated { $0.send(.failure(error), to: request) }
    }
}

/// Keeps the bus alive while a call is in flight.
private final class CallRef: Sendable {
    let bus: Bus
    let id: UInt64
    init(_ bus: Bus, _ id: UInt64) { (self.bus, self.id) = (bus, id) }
}

private let finishCall: DBusPendingCallNotifyFunction = { _, data in
    guard let data else { return }
    let call = Unmanaged<CallRef>.fromOpaque(data).takeUnretainedValue()
    call.bus.assumeIsolated { $0.finish(call.id) }
}

private let releaseCallRef: DBusFreeFunction = { data in
    if let data { Unmanaged<CallRef>.fromOpaque(data).release() }
}

private let filter: DBusHandleMessageFunction = { _, message, data in
    guard let message, let data else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
    nonisolated(unsafe) let arrived = message
    let taken = Unmanaged<Bus>.fromOpaque(data).takeUnretainedValue().assumeIsolated { $0.receive(arrived) }
    return taken ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NOT_YET_HANDLED
}

extension MethodCall {
    /// A call to the bus itself.
    static func toBus(_ member: String, _ arguments: [DBusValue]) -> MethodCall {
        MethodCall(
            to: DBUS_SERVICE_DBUS, path: ObjectPath(checked: DBUS_PATH_DBUS), interface: DBUS_INTERFACE_DBUS,
            member: member, arguments: arguments)
    }
}
