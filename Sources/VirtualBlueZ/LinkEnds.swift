import DBus

/// How a link begins at the strip, and the ways in which it ends.
extension VirtualBlueZ {
    func link(_ strip: Int, to path: ObjectPath) {
        strips[strip].link = path
        strips[strip].subscribed = false
        log(strip, .linked)
    }

    /// The strip's side of a link's end; it advertises again a little later.
    func unlink(_ strip: Int) {
        guard strips[strip].link != nil else { return }
        strips[strip].link = nil
        strips[strip].subscribed = false
        strips[strip].resting = true
        log(strip, .unlinked)
        after(timing.readvertise) { bluez in
            bluez.strips[strip].resting = false
            bluez.advertisingBegan(strip)
        }
    }

    /// Both sides of a link's end, without a word to the clients. Returns what the link leaves unanswered.
    @discardableResult
    func linkEnded(_ path: ObjectPath) -> VirtualDevice? {
        guard let old = devices[path] else { return nil }
        unlink(old.strip)
        devices[path]?.epoch += 1
        devices[path]?.attempt = nil
        devices[path]?.connected = false
        devices[path]?.resolved = false
        devices[path]?.attDead = false
        devices[path]?.requestsDone = .zero
        devices[path]?.lastCommand = .zero
        devices[path]?.requests = [:]
        devices[path]?.writing = nil
        devices[path]?.disconnects = []
        devices[path]?.disconnecting = false
        vanishLater(path)
        return old
    }

    /// A link that nobody asked to end: one signal, then errors for what was under way.
    func lose(_ path: ObjectPath) {
        guard devices[path]?.connected == true, let old = linkEnded(path) else { return }
        if old.resolved {
            changed(path, .device, ["ServicesResolved": .bool(false), "Connected": .bool(false)])
        } else {
            changed(path, .device, ["Connected": .bool(false)])
        }
        answerOpenCalls(of: old, connect: .abortedByLocal)
    }

    private func answerOpenCalls(of old: VirtualDevice, connect error: BusError) {
        if let attempt = old.attempt { fail(attempt.call, error) }
        for (_, pending) in old.requests.sorted(by: { $0.key < $1.key }) { fail(pending, .attribute(0x0E)) }
        for pending in old.disconnects { reply(pending) }
    }

    // MARK: Disconnect

    func disconnect(_ path: ObjectPath, _ pending: PendingCall) {
        guard let device = devices[path] else { return }
        guard device.connected else {
            reply(pending)
            return abandonAttempt(path, .canceled)
        }
        devices[path]?.disconnects.append(pending)
        if let attempt = device.attempt {  // linked, but Connect is not answered yet
            devices[path]?.attempt = nil
            fail(attempt.call, .canceled)
        }
        guard !device.disconnecting else { return }
        devices[path]?.disconnecting = true
        let delay = adapters[device.adapter].hung ? timing.hungDisconnect : timing.disconnect
        after(delay, in: device.epoch, of: path) { $0.disconnected(path) }
    }

    private func disconnected(_ path: ObjectPath) {
        guard let old = linkEnded(path) else { return }
        if old.resolved { changed(path, .device, ["ServicesResolved": .bool(false)]) }
        for pending in old.disconnects { reply(pending) }
        changed(path, .device, ["Connected": .bool(false)])
        for (_, pending) in old.requests.sorted(by: { $0.key < $1.key }) { fail(pending, .attribute(0x0E)) }
    }

    func removeDevice(_ path: ObjectPath, _ pending: PendingCall) {
        guard let device = devices[path] else { return }
        stored[StoredDevice.Key(adapter: device.adapter, strip: device.strip)] = nil
        guard device.connected else {
            if device.attempt != nil {
                devices[path]?.kept = true  // it goes here, not by its attempt's end
                abandonAttempt(path, .canceled)
            }
            reply(pending)
            return remove(path)
        }
        after(timing.disconnect) { bluez in
            bluez.lose(path)
            bluez.reply(pending)
            bluez.remove(path)
        }
    }

    // MARK: Links that die

    /// The strip ended the link, or went away; the host notices after `delay`.
    func linkDies(of strip: Int, after delay: Duration) {
        guard let path = strips[strip].link, let epoch = devices[path]?.epoch else { return }
        after(delay, in: epoch, of: path) { $0.lose(path) }
    }

    /// ATT had a time-out: nothing gets through, and bluetoothd ends the link.
    func dieSlowly(_ path: ObjectPath) {
        guard let device = devices[path] else { return }
        devices[path]?.attDead = true
        after(timing.deadLink, in: device.epoch, of: path) { $0.lose(path) }
    }
}
