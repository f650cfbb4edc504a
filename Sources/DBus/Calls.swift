import CDBus
import EventLoop

// Method calls that we make. A bus keeps count of the replies that a connection is owed and refuses calls beyond a
// limit, 128 on a system bus: we stay below it, and further calls wait in line.

extension Bus {
    /// How many calls may be unanswered at a time.
    public static let maximumOutstandingCalls = 100

    /// Calls a method and waits for its reply.
    ///
    /// Beyond `maximumOutstandingCalls` unanswered ones, calls are sent in the order in which they were made as replies
    /// arrive. A call that timed out or was cancelled counts until its callee answers or leaves the bus: that is how
    /// the bus counts. Calls to the bus itself never wait.
    ///
    /// - Parameter timeout: from now; `nil` waits as long as the callee takes.
    /// - Throws: `BusError` for an error reply, a timeout, a lost bus or malformed arguments; `CancellationError` when
    ///   the task is cancelled first (the callee may act all the same, unless the call still waited in line).
    public func call(_ call: MethodCall, timeout: Duration? = .seconds(25)) async throws -> [DBusValue] {
        try call.check()
        try Task.checkCancellation()
        let id = nextID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (reply: CallTable.Reply) in
                make(call, id, until: timeout.map { loop.now + $0 }, reply)
            }
        } onCancel: {
            // On the loop, after the body above: it never overtakes the send and never wakes the global pool.
            Task(executorPreference: self.loop) { await self.end(id, with: CancellationError()) }
        }
    }

    private func make(_ call: MethodCall, _ id: UInt64, until deadline: Duration?, _ reply: CallTable.Reply) {
        guard connection != nil else {
            return reply.resume(throwing: BusError.disconnected("not connected to the bus"))
        }
        guard calls.mustWait(call) else { return send(call, id, until: deadline, reply) }
        let timer = deadline.map { deadline in
            loop.schedule(after: deadline - loop.now) {
                self.assumeIsolated {
                    $0.end(id, with: BusError(name: DBUS_ERROR_TIMEOUT, message: "too many calls are unanswered"))
                }
            }
        }
        calls.line(up: .init(call: call, deadline: deadline, timer: timer, reply: reply), id)
    }

    private func send(_ call: MethodCall, _ id: UInt64, until deadline: Duration?, _ reply: CallTable.Reply) {
        do throws(BusError) {
            let message = try call.message()
            defer { dbus_message_unref(message) }
            let pending = try connected().send(message, timeout: deadline.map { $0 - loop.now })
            calls.sent(id, .init(pending: pending, serial: dbus_message_get_serial(message), reply: reply), call)
            // No reply can slip in between: only this thread dispatches.
            let reference = Unmanaged.passRetained(CallReference(self, id))
            if dbus_pending_call_set_notify(pending, finishCall, reference.toOpaque(), releaseCallReference) == 0 {
                reference.release()
                end(id, with: BusError.outOfMemory)
            }
        } catch {
            reply.resume(throwing: error)
        }
    }

    private func sendNext() {
        while let (id, next) = calls.takeNext() {
            if let timer = next.timer { loop.cancel(timer) }
            send(next.call, id, until: next.deadline, next.reply)
        }
    }

    fileprivate func finish(_ id: UInt64) {
        guard let call = calls.removeSent(id) else { return }
        defer { dbus_pending_call_unref(call.pending) }
        guard let message = dbus_pending_call_steal_reply(call.pending) else {
            return call.reply.resume(throwing: BusError.disconnected("no reply"))
        }
        defer { dbus_message_unref(message) }
        // libdbus makes up replies for calls that time out, or that a lost bus leaves behind: they have no sender.
        let isReal = dbus_message_get_sender(message) != nil
        if isReal { calls.answered(call.serial) }
        if !isReal, connection?.isAlive != true {
            call.reply.resume(throwing: BusError.disconnected("the bus closed the connection"))
        } else {
            call.reply.resume(with: Result { try reply(message) })
        }
        sendNext()
    }

    private func reply(_ message: OpaquePointer) throws(BusError) -> [DBusValue] {
        guard dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_ERROR else { return try arguments(of: message) }
        let text = try? arguments(of: message).first?.string  // the name is what counts
        throw BusError(name: string(dbus_message_get_error_name(message)), message: text ?? "")
    }

    /// The answer to a call that nobody waits for any more: its place is free.
    func lateReply(to serial: UInt32) {
        calls.answered(serial)
        sendNext()
    }

    private func end(_ id: UInt64, with error: any Error) {
        if let call = calls.removeSent(id) {
            call.abandon(error)
        } else if let call = calls.removeWaiting(id) {
            if let timer = call.timer { loop.cancel(timer) }
            call.reply.resume(throwing: error)
        }
    }

    func endCalls(with error: BusError) {
        let (sent, waiting) = calls.removeAll()
        for call in sent { call.abandon(error) }
        for call in waiting {
            if let timer = call.timer { loop.cancel(timer) }
            call.reply.resume(throwing: error)
        }
    }
}

/// The calls that have no answer yet.
struct CallTable {
    typealias Reply = CheckedContinuation<[DBusValue], any Error>

    struct Sent {
        var pending: OpaquePointer
        var serial: UInt32
        var reply: Reply

        func abandon(_ error: any Error) {
            dbus_pending_call_cancel(pending)
            dbus_pending_call_unref(pending)
            reply.resume(throwing: error)
        }
    }

    struct Waiting {
        var call: MethodCall
        var deadline: Duration?
        var timer: TimerID?
        var reply: Reply
    }

    private var sent: [UInt64: Sent] = [:]
    private var waiting: [UInt64: Waiting] = [:]
    private var order: [UInt64] = []  // of those that wait, and of some that gave up
    private var owed: Set<UInt32> = []  // serials of calls that the bus waits for a reply to

    func mustWait(_ call: MethodCall) -> Bool {
        call.destination != DBUS_SERVICE_DBUS && (!waiting.isEmpty || owed.count >= Bus.maximumOutstandingCalls)
    }

    mutating func line(up call: Waiting, _ id: UInt64) {
        waiting[id] = call
        order.append(id)
    }

    mutating func takeNext() -> (UInt64, Waiting)? {
        guard owed.count < Bus.maximumOutstandingCalls else { return nil }
        while !order.isEmpty {
            let id = order.removeFirst()
            if let call = waiting.removeValue(forKey: id) { return (id, call) }
        }
        return nil
    }

    mutating func sent(_ id: UInt64, _ record: Sent, _ call: MethodCall) {
        sent[id] = record
        if call.destination != DBUS_SERVICE_DBUS { owed.insert(record.serial) }
    }

    mutating func answered(_ serial: UInt32) { owed.remove(serial) }
    mutating func removeSent(_ id: UInt64) -> Sent? { sent.removeValue(forKey: id) }
    mutating func removeWaiting(_ id: UInt64) -> Waiting? { waiting.removeValue(forKey: id) }

    mutating func removeAll() -> ([Sent], [Waiting]) {
        defer { self = CallTable() }
        return (Array(sent.values), Array(waiting.values))
    }
}

/// Keeps the bus alive while a call is in flight.
private final class CallReference: Sendable {
    let bus: Bus
    let id: UInt64
    init(_ bus: Bus, _ id: UInt64) { (self.bus, self.id) = (bus, id) }
}

private let finishCall: DBusPendingCallNotifyFunction = { _, data in
    guard let data else { return }
    let call = Unmanaged<CallReference>.fromOpaque(data).takeUnretainedValue()
    call.bus.assumeIsolated { $0.finish(call.id) }
}

private let releaseCallReference: DBusFreeFunction = { data in
    if let data { Unmanaged<CallReference>.fromOpaque(data).release() }
}
