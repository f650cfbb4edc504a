public import DBus
import EventLoop

// What we ask of BlueZ. Each call ends by its reply, and besides when its object is removed, when bluetoothd or the bus
// goes away, and when the calling task is cancelled.

/// A call that waits for its reply.
struct OpenCall {
    let path: ObjectPath
    let work: Task<[DBusValue], any Error>
    /// Why it was ended by us.
    var ending: BlueZError?
}

extension BlueZClient {
    /// Links to the device; returns when the link is up, which is before its services are known.
    ///
    /// Takes as long as BlueZ does, 40 s for a device that is out of range. Cancelling the task ends the call, not
    /// BlueZ's attempt: only `disconnect` does that. Our own discovery on the adapter is stopped first, since it would
    /// make a link take 10 s, and goes on after 3 s or when the call has ended.
    public func connect(_ device: ObjectPath) async throws(BlueZError) {
        let adapter = tree.devices[device]?.adapter
        let hold = adapter.map { holdDiscovery(on: $0) }
        defer { if let adapter, let hold { releaseDiscovery(on: adapter, hold) } }
        if let adapter { await discoveryIsOff(on: adapter) }
        let timer = loop.schedule(after: timing.quietForConnect) { [weak self] in
            self?.assumeIsolated { if let adapter, let hold { $0.releaseDiscovery(on: adapter, hold) } }
        }
        defer { loop.cancel(timer) }
        do {
            try await call(device, "org.bluez.Device1", "Connect", timeout: nil)
        } catch  where error.message.hasSuffix("already-connected") || error.name == "org.bluez.Error.AlreadyConnected"
        {
            // It is what was asked for.
        }
        await loop.turn()  // the signals that came before the reply are in the mirror then
    }

    /// Ends the link, or the attempt to make one. BlueZ takes 2 to 3 s over a link.
    public func disconnect(_ device: ObjectPath) async throws(BlueZError) {
        try await call(device, "org.bluez.Device1", "Disconnect", timeout: timing.other)
    }

    /// Keeps the device when it is out of range. BlueZ heeds it only while the device is connected.
    public func setTrusted(_ trusted: Bool, _ device: ObjectPath) async throws(BlueZError) {
        let arguments: [DBusValue] = [.string("org.bluez.Device1"), .string("Trusted"), .variant(.bool(trusted))]
        try await call(device, "org.freedesktop.DBus.Properties", "Set", arguments, timeout: timing.other)
    }

    /// Makes BlueZ forget the device, its link and its pairing.
    public func remove(_ device: ObjectPath) async throws(BlueZError) {
        guard let adapter = tree.devices[device]?.adapter else { throw missing(device) }
        try await call(
            adapter, "org.bluez.Adapter1", "RemoveDevice", [.objectPath(device)], timeout: timing.other)
    }

    /// A command is done when BlueZ has queued it; a request when the peer has answered. One request at a time: a
    /// second one fails with `inProgress`, and its value is lost.
    public func write(
        _ value: [UInt8], to characteristic: ObjectPath, type: WriteType
    ) async throws(BlueZError) {
        let arguments: [DBusValue] = [.bytes(value), .options(["type": .string(type.rawValue)])]
        try await call(
            characteristic, "org.bluez.GattCharacteristic1", "WriteValue", arguments, timeout: timing.attRequest)
    }

    /// Harmless when notifications are on already. Values arrive in `events(ofDevice:)`, perhaps before this returns.
    public func startNotifications(_ characteristic: ObjectPath) async throws(BlueZError) {
        try await call(
            characteristic, "org.bluez.GattCharacteristic1", "StartNotify", timeout: timing.attRequest)
    }

    // MARK: Calling

    /// - Parameter timeout: `nil` waits as long as BlueZ takes.
    func call(
        _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [DBusValue] = [], timeout: Duration?
    ) async throws(BlueZError) {
        guard let bus, let owner, tree.contains(path) else { throw missing(path) }
        let message = MethodCall(to: owner, path: path, interface: interface, member: member, arguments: arguments)
        let work = Task(executorPreference: loop) { try await bus.call(message, timeout: timeout) }
        let id = newID()
        openCalls[id] = OpenCall(path: path, work: work)
        let result = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        let ending = openCalls.removeValue(forKey: id)?.ending
        guard case .failure(let error) = result else { return }
        if let ending { throw ending }
        guard let error = error as? BusError else { throw .cancelled() }
        throw BlueZError(error)
    }

    func endCalls(because error: BlueZError, where isConcerned: (ObjectPath) -> Bool) {
        for (id, call) in openCalls where call.ending == nil && isConcerned(call.path) {
            openCalls[id]?.ending = error
            call.work.cancel()
        }
    }

    /// Why `path` cannot be called now: nothing is sent that nobody could answer.
    func missing(_ path: ObjectPath) -> BlueZError {
        if bus == nil, case .noBus(let why) = presence { return .noBus(why) }
        if case .notAllowed(let why) = presence {
            return BlueZError(kind: .accessDenied, name: "org.freedesktop.DBus.Error.AccessDenied", message: why)
        }
        return owner == nil ? .absent() : .vanished("BlueZ knows no \(path.lastComponent)")
    }
}
