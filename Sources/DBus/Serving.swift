import CDBus
import EventLoop

// What we offer to others: method calls that arrive, and names that we own.

extension Bus {
    /// Answers every method call that arrives. What `handler` throws becomes the error reply: a `BusError` as it is,
    /// anything else as `org.freedesktop.DBus.Error.Failed`. A handler that throws `NoReply` leaves the caller waiting.
    ///
    /// Handlers run side by side, each started in the order of arrival. `org.freedesktop.DBus.Peer` is libdbus's.
    /// The handler is kept until the bus is closed or lost.
    public func serve(_ handler: @escaping @Sendable (MethodCall) async throws -> [DBusValue]) {
        serve { [loop] call, reply in
            Task(executorPreference: loop) {
                do {
                    await reply.send(.success(try await handler(call)))
                } catch is NoReply {
                } catch let error as BusError {
                    await reply.send(.failure(error))
                } catch {
                    await reply.send(.failure(BusError(name: DBUS_ERROR_FAILED, message: "\(error)")))
                }
            }
        }
    }

    /// Hands every method call that arrives to `receiver`, in order and on the loop's thread, to be answered then or
    /// later. What is sent before, with and after the reply leaves in that order, as from a daemon with one thread.
    public func serve(answering receiver: @escaping @Sendable (MethodCall, Reply) -> Void) {
        self.receiver = receiver
    }

    /// Becomes the owner of a well-known name, or throws `BusError` if another connection owns it.
    public func requestName(_ name: String) async throws {
        let reply = try await call(
            .toBus("RequestName", [.string(name), .uint32(UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE))]))
        guard let result = reply.first?.int,
            result == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER
                || result == DBUS_REQUEST_NAME_REPLY_ALREADY_OWNER
        else { throw BusError(name: DBUS_ERROR_ADDRESS_IN_USE, message: "\(name) has another owner") }
    }

    /// Does nothing if the name is not ours.
    public func releaseName(_ name: String) async throws {
        _ = try await call(.toBus("ReleaseName", [.string(name)]))
    }

    /// The unique name of a well-known name's owner; `nil` when nobody owns it.
    public func owner(of name: String) async throws -> String? {
        do {
            return try await call(.toBus("GetNameOwner", [.string(name)])).first?.string
        } catch let error as BusError where error.name == DBUS_ERROR_NAME_HAS_NO_OWNER {
            return nil
        }
    }

    /// True if the call was taken; libdbus answers the others with an error.
    func answer(_ message: OpaquePointer) -> Bool {
        guard let receiver else { return false }
        let caller = Caller(message)
        do {
            receiver(try MethodCall(message), Reply(bus: self, caller: caller))
        } catch {
            send(.failure(error), to: caller)
        }
        return true
    }

    fileprivate func send(_ result: Result<[DBusValue], BusError>, to caller: Caller) {
        guard caller.wantsReply, let connection else { return }
        do throws(BusError) {
            let reply = try caller.reply(result)
            defer { dbus_message_unref(reply) }
            try connection.send(reply)
        } catch {
            // The result cannot be sent (a malformed value, too many descriptors): the caller gets to know that.
            guard case .success = result else { return }
            send(.failure(error), to: caller)
        }
    }
}

/// The one reply to a call that arrived. Dropping it leaves the caller without one.
public struct Reply: Sendable {
    fileprivate let bus: Bus
    fileprivate let caller: Caller

    /// Sends the values at once; on the loop's thread only (checked).
    public func send(_ values: [DBusValue] = []) { bus.assumeIsolated { $0.send(.success(values), to: caller) } }

    /// Sends the error at once; on the loop's thread only (checked).
    public func send(_ error: BusError) { bus.assumeIsolated { $0.send(.failure(error), to: caller) } }

    fileprivate func send(_ result: Result<[DBusValue], BusError>) async { await bus.send(result, to: caller) }
}

/// Thrown by a handler that leaves its caller without a reply.
public struct NoReply: Error {
    public init() {}
}

/// Where the reply to a call goes.
struct Caller: Sendable {
    let name: String
    let serial: UInt32
    let wantsReply: Bool

    init(_ call: OpaquePointer) {
        name = string(dbus_message_get_sender(call))
        serial = dbus_message_get_serial(call)
        wantsReply = dbus_message_get_no_reply(call) == 0
    }

    func reply(_ result: Result<[DBusValue], BusError>) throws(BusError) -> OpaquePointer {
        switch result {
        case .success(let values):
            try check(body: values)
            return try build(DBUS_MESSAGE_TYPE_METHOD_RETURN, values)
        case .failure(let error):
            let isValid = isWellFormed(error.name, dbus_validate_error_name)
            let text = String(error.message.prefix(4096)).replacing("\0", with: "")
            return try build(
                DBUS_MESSAGE_TYPE_ERROR, [.string(text)], errorName: isValid ? error.name : DBUS_ERROR_FAILED)
        }
    }

    private func build(
        _ type: Int32, _ values: [DBusValue], errorName: String? = nil
    ) throws(BusError) -> OpaquePointer {
        guard let message = dbus_message_new(type) else { throw .outOfMemory }
        dbus_message_set_no_reply(message, 1)
        guard dbus_message_set_reply_serial(message, serial) != 0, dbus_message_set_destination(message, name) != 0,
            errorName == nil || dbus_message_set_error_name(message, errorName) != 0
        else {
            dbus_message_unref(message)
            throw .outOfMemory
        }
        return try filled(message, values)
    }
}
