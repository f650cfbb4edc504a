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

    /// Opens a private connection (a shared one ends the process when the bus goes away) and registers it.
    ///
    /// - Parameter owner: handed to `filter`, unretained, until `close()`.
    init(
        _ address: String, loop: EventLoop, owner: UnsafeMutableRawPointer, filter: @escaping DBusHandleMessageFunction
    ) throws(BusError) {
        guard !address.utf8.contains(0) else { throw .invalidArguments("the bus address contains a NUL") }
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let raw = dbus_connection_open_private(address, &error) else { throw BusError(error) }
        dbus_connection_set_exit_on_disconnect(raw, 0)
        guard dbus_bus_register(raw, &error) != 0 else {
            dbus_connection_close(raw)
            dbus_connection_unref(raw)
            throw BusError(error)
        }
        (self.raw, self.loop, self.owner, self.filter) = (raw, loop, owner, filter)
        let me = Unmanaged.passUnretained(self).toOpaque()
        dbus_connection_set_watch_functions(raw, addWatch, removeWatch, toggleWatch, me, nil)
        dbus_connection_set_timeout_functions(raw, addTimeout, removeTimeout, toggleTimeout, me, nil)
        dbus_connection_set_dispatch_status_function(raw, dispatchStatus, me, nil)
        dbus_connection_add_filter(raw, filter, owner, nil)
        dispatchSoon()  // Hello may have read more than its reply
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

    var uniqueName: String { string(dbus_bus_get_unique_name(raw)) }

    /// `nil` if the connection is lost.
    func send(_ message: OpaquePointer, timeout: Duration?) -> OpaquePointer? {
        var pending: OpaquePointer?
        let forever = Int32.max  // DBUS_TIMEOUT_INFINITE
        let milliseconds = timeout.map { Int32(clamping: Int($0 / .milliseconds(1))) } ?? forever
        guard dbus_connection_send_with_reply(raw, message, &pending, milliseconds) != 0 else { return nil }
        return pending
    }

    func send(_ message: OpaquePointer) { dbus_connection_send(raw, message, nil) }

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
        nonisolated(unsafe) let me = self  // the loop calls back on its own thread, where this object lives
        loop.watch(descriptor, for: events) { me.handle(descriptor, $0) }
    }

    private func handle(_ descriptor: Int32, _ ready: DescriptorEvents) {
        var flags: UInt32 = 0
        if ready.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
        if ready.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
        if ready.contains(.error) { flags |= DBUS_WATCH_ERROR.rawValue }
        if ready.contains(.hangUp) { flags |= DBUS_WATCH_HANGUP.rawValue }
        dispatching = true  // dispatch() follows: see dispatchSoon
        for watch in watches[descriptor] ?? [] where dbus_watch_get_enabled(watch) != 0 {
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
        nonisolated(unsafe) let me = self
        dispatchTimer = loop.schedule(after: .zero) { me.dispatch() }
    }

    // MARK: Timeouts

    fileprivate func arm(_ timeout: OpaquePointer) {
        disarm(timeout)
        guard dbus_timeout_get_enabled(timeout) != 0 else { return }
        nonisolated(unsafe) let (me, expired) = (self, timeout)
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
    fileprivate init(_ error: DBusError) { self.init(name: string(error.name), message: string(error.message)) }
}

func string(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
