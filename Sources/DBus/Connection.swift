import CDBus
import EventLoop

/// libdbus's `DBusConnection`, driven by the loop. Confined to the loop's thread.
final class Connection {
    private let raw: OpaquePointer
    private let loop: EventLoop
    private let owner: UnsafeMutableRawPointer
    private let filter: DBusHandleMessageFunction
    private var watches: [Int32: [OpaquePointer]] = [:]  // by descriptor: libdbus has a read and a write watch on one
    private var timeouts: [OpaquePointer: TimerID] = [:]
    private var dispatchTimer: TimerID?
    private var dispatching = false
    private var closed = false

    /// Opens a private connection: a shared one ends the process when the bus goes away. The Hello is left to the owner,
    /// since libdbus's own waits for the reply on this thread.
    ///
    /// - Parameter owner: handed to `filter`, unretained, until `close()`.
    init(
        _ address: String, loop: EventLoop, owner: UnsafeMutableRawPointer, filter: @escaping DBusHandleMessageFunction
    ) throws(BusError) {
        try Self.check(address)
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let raw = dbus_connection_open_private(address, &error) else {
            throw BusError(error, "there is no bus at \(address): ")
        }
        dbus_connection_set_exit_on_disconnect(raw, 0)
        (self.raw, self.loop, self.owner, self.filter) = (raw, loop, owner, filter)
        let me = Unmanaged.passUnretained(self).toOpaque()
        dbus_connection_set_watch_functions(raw, addWatch, removeWatch, toggleWatch, me, nil)
        dbus_connection_set_timeout_functions(raw, addTimeout, removeTimeout, toggleTimeout, me, nil)
        dbus_connection_set_dispatch_status_function(raw, dispatchStatus, me, nil)
        dbus_connection_add_filter(raw, filter, owner, nil)
    }

    /// libdbus resolves host names, starts programs and looks for session buses, as the address says: all of that would
    /// block the loop.
    private static func check(_ address: String) throws(BusError) {
        guard !address.isEmpty else {
            throw BusError(name: DBUS_ERROR_BAD_ADDRESS, message: "the bus address is empty")
        }
        guard !address.utf8.contains(0) else { throw .invalidArguments("the bus address contains a NUL") }
        var (entries, count) = (UnsafeMutablePointer<OpaquePointer?>?.none, Int32(0))
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard dbus_parse_address(address, &entries, &count, &error) != 0 else {
            throw BusError(error, "'\(address)' is no bus address: ")
        }
        defer { dbus_address_entries_free(entries) }
        for entry in UnsafeBufferPointer(start: entries, count: Int(count)) {
            let method = string(dbus_address_entry_get_method(entry))
            guard method == "unix" else {
                throw BusError(
                    name: DBUS_ERROR_BAD_ADDRESS,
                    message: "the bus address '\(address)' is of the kind '\(method):', only 'unix:' is supported")
            }
        }
    }

    /// Must come before the last reference is dropped: libdbus holds pointers to this object and its owner until then.
    func close() {
        closed = true
        dbus_connection_set_watch_functions(raw, nil, nil, nil, nil, nil)  // removes our watches…
        dbus_connection_set_timeout_functions(raw, nil, nil, nil, nil, nil)  // …and timers
        dbus_connection_set_dispatch_status_function(raw, nil, nil, nil)
        dbus_connection_remove_filter(raw, filter, owner)
        if let dispatchTimer { loop.cancel(dispatchTimer) }
        dbus_connection_close(raw)
        dbus_connection_unref(raw)
    }

    deinit { precondition(closed, "Connection dropped without close()") }

    var isAlive: Bool { dbus_connection_get_is_connected(raw) != 0 }

    /// Sends a call. What comes of it is the returned `DBusPendingCall`'s to tell.
    func send(_ message: OpaquePointer, timeout: Duration?) throws(BusError) -> OpaquePointer {
        try checkDescriptors(in: message)
        var pending: OpaquePointer?
        let milliseconds = timeout?.milliseconds(.up) ?? .max  // the largest is DBUS_TIMEOUT_INFINITE
        guard dbus_connection_send_with_reply(raw, message, &pending, milliseconds) != 0 else { throw .outOfMemory }
        guard let pending else { throw .disconnected("the bus closed the connection") }
        return pending
    }

    func send(_ message: OpaquePointer) throws(BusError) {
        try checkDescriptors(in: message)
        guard dbus_connection_send(raw, message, nil) != 0 else { throw .outOfMemory }
    }

    private func checkDescriptors(in message: OpaquePointer) throws(BusError) {
        let descriptor = Int32(UInt8(ascii: "h"))
        guard dbus_message_contains_unix_fds(message) == 0 || dbus_connection_can_send_type(raw, descriptor) != 0 else {
            throw BusError(name: DBUS_ERROR_NOT_SUPPORTED, message: "this bus passes no descriptors")
        }
    }

    func removeMatch(_ rule: String) { dbus_bus_remove_match(raw, rule, nil) }  // no error wanted: it does not wait

    // MARK: Watches

    fileprivate func add(watch: OpaquePointer) {
        watches[dbus_watch_get_unix_fd(watch), default: []].append(watch)
        refresh(descriptorOf: watch)
    }

    fileprivate func remove(watch: OpaquePointer) {
        let descriptor = dbus_watch_get_unix_fd(watch)
        watches[descriptor]?.removeAll { $0 == watch }
        if watches[descriptor]?.isEmpty == true {
            watches[descriptor] = nil
            loop.unwatch(descriptor)
        } else {
            refresh(descriptorOf: watch)
        }
    }

    /// epoll allows one registration for a descriptor, so libdbus's watches are merged.
    fileprivate func refresh(descriptorOf watch: OpaquePointer) {
        let descriptor = dbus_watch_get_unix_fd(watch)
        var events: DescriptorEvents = []
        for watch in watches[descriptor] ?? [] where dbus_watch_get_enabled(watch) != 0 {
            if dbus_watch_get_flags(watch) & DBUS_WATCH_READABLE.rawValue != 0 { events.insert(.readable) }
            if dbus_watch_get_flags(watch) & DBUS_WATCH_WRITABLE.rawValue != 0 { events.insert(.writable) }
        }
        // A hang-up is reported even to who asks for nothing: with all watches off, that would keep the loop spinning.
        guard !events.isEmpty else { return loop.unwatch(descriptor) }
        // Sound because the loop calls back on its own thread, the only one that touches this object.
        nonisolated(unsafe) let me = self
        loop.watch(descriptor, for: events) { me.handle(descriptor, $0) }
    }

    private func handle(_ descriptor: Int32, _ ready: DescriptorEvents) {
        var flags: UInt32 = 0
        if ready.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
        if ready.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
        if ready.contains(.error) { flags |= DBUS_WATCH_ERROR.rawValue }
        if ready.contains(.hangUp) { flags |= DBUS_WATCH_HANGUP.rawValue }
        dispatching = true  // dispatch() follows: see dispatchSoon
        for watch in watches[descriptor] ?? [] {
            // Handling one watch may free the other, as when the bus hangs up.
            guard watches[descriptor]?.contains(watch) == true, dbus_watch_get_enabled(watch) != 0 else { continue }
            let wanted = dbus_watch_get_flags(watch) | DBUS_WATCH_ERROR.rawValue | DBUS_WATCH_HANGUP.rawValue
            if flags & wanted != 0 { dbus_watch_handle(watch, flags & wanted) }
        }
        dispatch()
    }

    // MARK: Dispatching

    /// Runs filters and reply callbacks for what has been read.
    private func dispatch() {
        dispatching = true
        defer { dispatching = false }
        dispatchTimer = nil
        while !closed, dbus_connection_dispatch(raw) == DBUS_DISPATCH_DATA_REMAINS {}
    }

    /// libdbus queues messages outside `handle` too: a failed write queues "Disconnected" and removes the watches, so
    /// that no descriptor event would follow. Never dispatch inside libdbus's own callback: it may hold references
    /// that dispatching drops.
    fileprivate func dispatchSoon() {
        guard !dispatching, dispatchTimer == nil, !closed else { return }
        nonisolated(unsafe) let me = self  // sound as in `refresh`
        dispatchTimer = loop.schedule(after: .zero) { me.dispatch() }
    }

    // MARK: Timeouts

    fileprivate func arm(_ timeout: OpaquePointer) {
        disarm(timeout)
        guard dbus_timeout_get_enabled(timeout) != 0 else { return }
        nonisolated(unsafe) let (me, expired) = (self, timeout)  // sound as in `refresh`; disarmed before it is freed
        timeouts[timeout] = loop.schedule(after: .milliseconds(dbus_timeout_get_interval(timeout))) {
            me.expire(expired)
        }
    }

    fileprivate func disarm(_ timeout: OpaquePointer) {
        if let timer = timeouts.removeValue(forKey: timeout) { loop.cancel(timer) }
    }

    private func expire(_ timeout: OpaquePointer) {
        arm(timeout)  // libdbus's timeouts repeat until they are removed
        dbus_timeout_handle(timeout)
        dispatch()
    }
}

// MARK: libdbus's callbacks. They run on the loop's thread, inside a call that we make there.

private func connection(_ data: UnsafeMutableRawPointer?) -> Connection? {
    data.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
}

private let addWatch: DBusAddWatchFunction = { watch, data in
    if let watch { connection(data)?.add(watch: watch) }
    return 1
}
private let removeWatch: DBusRemoveWatchFunction = { watch, data in
    if let watch { connection(data)?.remove(watch: watch) }
}
private let toggleWatch: DBusWatchToggledFunction = { watch, data in
    if let watch { connection(data)?.refresh(descriptorOf: watch) }
}
private let addTimeout: DBusAddTimeoutFunction = { timeout, data in
    if let timeout { connection(data)?.arm(timeout) }
    return 1
}
private let removeTimeout: DBusRemoveTimeoutFunction = { timeout, data in
    if let timeout { connection(data)?.disarm(timeout) }
}
private let toggleTimeout: DBusTimeoutToggledFunction = { timeout, data in
    if let timeout { connection(data)?.arm(timeout) }
}
private let dispatchStatus: DBusDispatchStatusFunction = { _, status, data in
    if status == DBUS_DISPATCH_DATA_REMAINS { connection(data)?.dispatchSoon() }
}

extension BusError {
    fileprivate init(_ error: DBusError, _ attempt: String) {
        self.init(name: string(error.name), message: attempt + string(error.message))
    }
}

func string(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
