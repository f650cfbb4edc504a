import DBus

/// StartNotify and StopNotify, and what the strip pushes.
extension VirtualBlueZ {
    func startNotify(_ target: FoundCharacteristic, _ pending: PendingCall) {
        guard target.flags.contains("notify") else { return fail(pending, .notSupported) }
        guard let device = devices[target.device], device.connected, !device.attDead else {
            return fail(pending, .notConnected)
        }
        let client = pending.call.sender
        guard !device.notifySessions.contains(client) else { return reply(pending) }
        let (path, strip) = (device.path, device.strip)
        request(path, pending) { bluez in
            bluez.subscribe(strip, true)
            return nil
        } finally: { bluez, error in
            if let error { return bluez.fail(pending, error) }
            let first = bluez.devices[path]?.notifySessions.isEmpty == true
            bluez.devices[path]?.notifySessions.insert(client)
            if first { bluez.changed(target.path, .characteristic, ["Notifying": .bool(true)]) }
            bluez.reply(pending)
        }
    }

    func stopNotify(_ target: FoundCharacteristic, _ pending: PendingCall) {
        guard devices[target.device]?.notifySessions.contains(pending.call.sender) == true else {
            return fail(pending, .noNotifySession)
        }
        endNotifySession(target.device, of: pending.call.sender)
        reply(pending)
    }

    func endNotifySession(_ path: ObjectPath, of client: String) {
        guard devices[path]?.notifySessions.remove(client) != nil, let device = devices[path],
            device.notifySessions.isEmpty
        else { return }
        subscribe(device.strip, false)
        guard let reports = device.gatt?.path(of: .reports) else { return }
        changed(reports, .characteristic, ["Notifying": .bool(false)])
    }

    /// BlueZ writes the strip's CCCD.
    func subscribe(_ strip: Int, _ wanted: Bool) {
        guard strips[strip].link != nil, strips[strip].subscribed != wanted else { return }
        strips[strip].subscribed = wanted
        log(strip, wanted ? .subscribed : .unsubscribed)
    }

    func sendNotification(_ bytes: [UInt8], from strip: Int, after delay: Duration) {
        guard let path = strips[strip].link, let epoch = devices[path]?.epoch else {
            return log(strip, .notified(bytes, .noLink))
        }
        guard strips[strip].subscribed else { return log(strip, .notified(bytes, .notSubscribed)) }
        guard strips[strip].faults.swallow == 0 else {
            if strips[strip].faults.swallow > 0 { strips[strip].faults.swallow -= 1 }
            return log(strip, .notified(bytes, .swallowed))
        }
        after(delay + strips[strip].faults.notifyDelay, in: epoch, of: path) { bluez in
            guard bluez.strips[strip].subscribed, let reports = bluez.devices[path]?.gatt?.path(of: .reports) else {
                return
            }
            bluez.log(strip, .notified(bytes, .sent))
            bluez.devices[path]?.report = bytes
            bluez.changed(reports, .characteristic, ["Value": .bytes(bytes)])
        }
    }
}
