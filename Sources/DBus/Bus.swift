import CDBus
public import EventLoop

/// A connection to a message bus. Every libdbus call happens on the loop's thread: this actor is pinned there, and the
/// loop calls libdbus's watches and timeouts there too. So libdbus needs no locks, and its callbacks may enter the
/// actor synchronously.
///
/// Nothing here ends the process: not the loss of the bus, and no malformed name, path, string or value, since all of
/// them are checked before libdbus sees them.
public actor Bus {
    let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    var connection: Connection?  // nil once closed or lost
    /// Our unique name on the bus, as in `:1.7`; `nil` once the bus is gone.
    public private(set) var uniqueName: String?

    // Each belongs to the file that its comment names.
    var calls = CallTable()  // Calls.swift
    var subscriptions: [UInt64: Subscription] = [:]  // Subscriptions.swift
    var owners: [String: Ownership] = [:]  // Subscriptions.swift
    var receiver: (@Sendable (MethodCall, Reply) -> Void)?  // Serving.swift
    private var lastID: UInt64 = 0

    private init(loop: EventLoop) { self.loop = loop }

    /// Connects and says Hello. Only `unix:` addresses are taken: all others could block the loop, or start processes.
    ///
    /// - Parameters:
    ///   - address: a D-Bus server address, as in `unix:path=/run/dbus/system_bus_socket`.
    ///   - timeout: how long the bus may take to answer.
    /// - Throws: `BusError` that says which bus it was about and what went wrong.
    public static func open(
        _ address: String, on loop: EventLoop, timeout: Duration = .seconds(10)
    ) async throws -> Bus {
        let bus = Bus(loop: loop)
        try await bus.start(address, timeout)
        return bus
    }

    private func start(_ address: String, _ timeout: Duration) async throws {
        // Unretained: `fail` takes the pointer back, at the latest in `deinit`.
        let me = Unmanaged.passUnretained(self).toOpaque()
        connection = try Connection(address, loop: loop, owner: me, filter: filter)
        do {
            let reply = try await call(.toBus("Hello", []), timeout: timeout)
            guard let name = reply.first?.string else { throw BusError.disconnected("it gave us no name") }
            uniqueName = name
        } catch let error as BusError {
            fail(with: error)
            throw BusError(name: error.name, message: "the bus at \(address) did not let us in: \(error.message)")
        } catch {
            close()
            throw error
        }
    }

    /// Ends all calls and streams with `BusError.disconnected`. More than once is harmless.
    public func close() { fail(with: .disconnected("the connection to the bus was closed")) }

    isolated deinit { close() }

    func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }

    func connected() throws(BusError) -> Connection {
        guard let connection else { throw .disconnected("not connected to the bus") }
        return connection
    }

    private func fail(with error: BusError) {
        guard let connection else { return }
        self.connection = nil
        uniqueName = nil
        receiver = nil
        endCalls(with: error)
        endSubscriptions(with: error)
        connection.close()
    }

    /// One message that is no reply to a call that still waits. True if it was taken.
    fileprivate func receive(_ message: OpaquePointer) -> Bool {
        switch dbus_message_get_type(message) {
        case DBUS_MESSAGE_TYPE_SIGNAL:
            if dbus_message_is_signal(message, DBUS_INTERFACE_LOCAL, "Disconnected") != 0 {
                fail(with: .disconnected("the bus closed the connection"))
            } else if let signal = try? Signal(message) {  // not for us to read: the others go on
                deliver(signal)
            }
            return false
        case DBUS_MESSAGE_TYPE_METHOD_CALL:
            return answer(message)
        case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR:
            lateReply(to: dbus_message_get_reply_serial(message))
            return true
        default: return false
        }
    }
}

private let filter: DBusHandleMessageFunction = { _, message, data in
    guard let message, let data else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
    // Sound because libdbus calls this on the loop's thread, which is the actor's (`assumeIsolated` checks it), and the
    // pointer does not outlive the call.
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
