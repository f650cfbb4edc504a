import DBus

/// WriteValue and ReadValue: requests one at a time, commands in a queue.
extension VirtualBlueZ {
    func writeValue(_ target: FoundCharacteristic, _ pending: PendingCall) {
        guard let value = pending.call.arguments.first?.bytes else {
            return fail(pending, .invalidArguments)
        }
        guard target.role == .commands else { return fail(pending, .notSupported) }
        guard let device = devices[target.device], device.connected, !device.attDead else {
            return fail(pending, .notConnected)
        }
        switch writeType(pending.call.arguments.dropFirst().first, flags: target.flags) {
        case nil: fail(pending, .notSupported)
        case .command?: writeCommand(value, target, device, pending)
        case .request?: writeRequest(value, target, device, pending)
        }
    }

    /// `nil`: BlueZ knows no such type.
    private func writeType(_ options: DBusValue?, flags: [String]) -> ReceivedFrame.WriteType? {
        switch options?.dictionary?["type"]?.string {
        case nil: flags.contains("write") ? .request : .command
        case "command"?: .command
        case "request"?, "reliable"?: .request
        default: nil
        }
    }

    /// The reply says nothing about the strip: it comes even if the strip takes no commands.
    private func writeCommand(
        _ value: [UInt8], _ target: FoundCharacteristic, _ device: VirtualDevice, _ pending: PendingCall
    ) {
        guard value.count <= 20 else { return fail(pending, .writeNotInitiated) }
        let delay = strips[device.strip].faults.writeDelay
        let arrival = max(now + timing.commandArrives + delay, device.lastCommand + timing.commandSpacing)
        devices[device.path]?.lastCommand = arrival
        let taken = target.flags.contains("write-without-response")
        after(arrival - now, in: device.epoch, of: device.path) {
            $0.arrive(value, .command, taken: taken, at: device.strip)
        }
        after(timing.commandReply) { $0.reply(pending) }
    }

    private func writeRequest(
        _ value: [UInt8], _ target: FoundCharacteristic, _ device: VirtualDevice, _ pending: PendingCall
    ) {
        guard device.writing == nil else { return fail(pending, .inProgress) }
        let (path, strip) = (device.path, device.strip)
        devices[path]?.writing = pending.number
        let pieces = value.count <= 20 ? 1 : 1 + (value.count + 17) / 18  // longer ones are prepared, then executed
        let taken = target.flags.contains("write")
        request(path, pending, exchanges: pieces) { bluez in
            if !taken {
                bluez.log(strip, .frame(ReceivedFrame(bytes: value, type: .request, ignored: true)))
                return .writeNotPermitted
            }
            if let (code, times) = bluez.strips[strip].faults.writeError {
                bluez.strips[strip].faults.writeError = times == 1 ? nil : (code, times - 1)
                return .attribute(code)
            }
            bluez.arrive(value, .request, taken: true, at: strip)
            return nil
        } finally: { bluez, error in
            bluez.devices[path]?.writing = nil
            if let error { bluez.fail(pending, error) } else { bluez.reply(pending) }
        }
    }

    func readValue(_ target: FoundCharacteristic, _ pending: PendingCall) {
        guard target.flags.contains("read") else { return fail(pending, .readNotPermitted) }
        guard let device = devices[target.device], device.connected, !device.attDead else {
            return fail(pending, .notConnected)
        }
        let (path, strip) = (device.path, device.strip)
        request(path, pending) { _ in
            nil
        } finally: { bluez, error in
            if let error { return bluez.fail(pending, error) }
            let value = target.role == .reports ? bluez.strips[strip].firmware.status(at: bluez.now) : []
            bluez.devices[path]?.report = value
            bluez.changed(target.path, .characteristic, ["Value": .bytes(value)])
            bluez.reply(pending, [.bytes(value)])
        }
    }

    // MARK: ATT

    /// One ATT request after the other: `arrive` when it is at the strip, `finally` when its response is back.
    func request(
        _ path: ObjectPath, _ pending: PendingCall, exchanges: Int = 1,
        arrive: @escaping @Sendable (isolated VirtualBlueZ) -> BusError?,
        finally: @escaping @Sendable (isolated VirtualBlueZ, BusError?) -> Void
    ) {
        guard let device = devices[path] else { return }
        devices[path]?.requests[pending.number] = pending
        let faults = strips[device.strip].faults
        guard !faults.attMute, !adapters[device.adapter].hung else {
            return after(timing.attributeTimeout, in: device.epoch, of: path) { bluez in
                bluez.devices[path]?.requests[pending.number] = nil
                finally(bluez, .attribute(0x0E))
                bluez.dieSlowly(path)
            }
        }
        let begin = max(now, device.requestsDone) + faults.writeDelay + timing.requestReply * (exchanges - 1)
        let end = begin + timing.requestReply
        devices[path]?.requestsDone = end
        after(begin - now + timing.requestArrives, in: device.epoch, of: path) { bluez in
            let error = arrive(bluez)
            bluez.after(end - bluez.now, in: device.epoch, of: path) { bluez in
                bluez.devices[path]?.requests[pending.number] = nil
                finally(bluez, error)
            }
        }
    }

    /// Bytes reach the strip's FFD9.
    func arrive(_ value: [UInt8], _ type: ReceivedFrame.WriteType, taken: Bool, at strip: Int) {
        if let path = strips[strip].link, let adapter = devices[path]?.adapter, adapters[adapter].hung { return }
        let reaction = taken ? strips[strip].firmware.receive(value, as: type, at: now) : .ignored
        log(strip, .frame(ReceivedFrame(bytes: value, type: type, ignored: reaction.ignored)))
        for bytes in reaction.notifications { sendNotification(bytes, from: strip, after: timing.answer) }
    }
}
