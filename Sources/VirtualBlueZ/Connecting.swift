import DBus

/// From `Connect` to `ServicesResolved`.
extension VirtualBlueZ {
    func connect(_ path: ObjectPath, _ pending: PendingCall) {
        guard let device = devices[path] else { return }
        guard adapters[device.adapter].powered else { return fail(pending, .notReady) }
        guard device.attempt == nil else { return fail(pending, .alreadyInProgress) }
        guard !device.connected else { return reply(pending) }
        stopVanishing(path)
        let epoch = beginEpoch(path)
        devices[path]?.attempt = ConnectAttempt(call: pending)
        let strip = strips[device.strip]
        if strip.description.quirks.contains(.brEDR) || strip.faults.unansweredConnects > 0 {
            if strip.faults.unansweredConnects > 0 { strips[device.strip].faults.unansweredConnects -= 1 }
            devices[path]?.attempt?.paging = true
            // The call stays open for ever: the object is gone before its answer.
            after(timing.paging, in: epoch, of: path) { $0.remove(path) }
            return
        }
        awaitStrip(path, epoch)
        reachUnlessFiltered(path)
    }

    private func awaitStrip(_ path: ObjectPath, _ epoch: Int) {
        devices[path]?.attempt?.reaching = false
        devices[path]?.attempt?.expiry = after(timing.outOfRange) { $0.attemptExpired(path, epoch) }
    }

    // MARK: Epochs

    func beginEpoch(_ path: ObjectPath) -> Int {
        devices[path]?.epoch += 1
        return devices[path]?.epoch ?? 0
    }

    /// Acts unless the link or the attempt has ended by then.
    func after(
        _ delay: Duration, in epoch: Int, of path: ObjectPath,
        _ act: @escaping @Sendable (isolated VirtualBlueZ) -> Void
    ) {
        after(delay) { if $0.devices[path]?.epoch == epoch { act($0) } }
    }

    // MARK: Reaching the strip

    /// A controller that filters duplicates does not hear a strip a second time before the next scan.
    func reachUnlessFiltered(_ path: ObjectPath) {
        guard let device = devices[path] else { return }
        let adapter = adapters[device.adapter]
        if adapter.discovering, adapter.description.filtersDuplicates, adapter.seen.contains(device.strip) { return }
        reach(path)
    }

    func reachWaiting(on index: Int) {
        for device in devices(of: index) { reach(device.path) }
    }

    func reach(_ path: ObjectPath) {
        guard let device = devices[path], let attempt = device.attempt, !attempt.reaching, !device.connected,
            !attempt.paging, reaches(device.strip, from: device.adapter)
        else { return }
        cancelExpiry(path)
        devices[path]?.attempt?.reaching = true
        after(timing.connect, in: device.epoch, of: path) { $0.reached(path) }
    }

    private func reached(_ path: ObjectPath) {
        guard let device = devices[path] else { return }
        guard reaches(device.strip, from: device.adapter) else {
            return awaitStrip(path, device.epoch)  // it went silent
        }
        let links = devices(of: device.adapter).count { $0.connected }
        guard links < adapters[device.adapter].description.maxLinks else {
            return abandonAttempt(path, .connectionUnknown)
        }
        link(device.strip, to: path)
        devices[path]?.connected = true
        changed(path, .device, ["Connected": .bool(true)])
        if strips[device.strip].faults.refusals > 0 {
            strips[device.strip].faults.refusals -= 1
            return after(timing.refusal, in: device.epoch, of: path) { $0.refused(path) }
        }
        if device.gatt != nil {
            devices[path]?.requestsDone = now + timing.resolveKept
        }
        after(timing.connectReply, in: device.epoch, of: path) { $0.established(path) }
    }

    private func refused(_ path: ObjectPath) {
        guard let device = devices[path], let attempt = device.attempt else { return }
        fail(attempt.call, strips[device.strip].faults.refusal.error)
        linkEnded(path)
        changed(path, .device, ["Connected": .bool(false)])
    }

    private func established(_ path: ObjectPath) {
        guard let device = devices[path], let attempt = device.attempt else { return }
        devices[path]?.attempt = nil
        devices[path]?.everConnected = true
        reply(attempt.call)
        if device.gatt != nil {
            let left = timing.resolveKept - timing.connectReply
            after(max(left, .zero), in: device.epoch, of: path) { $0.resolved(path) }
        } else if strips[device.strip].faults.attMute {
            after(timing.attributeTimeout, in: device.epoch, of: path) {
                $0.resolved(path)
                $0.dieSlowly(path)
            }
        } else {
            after(timing.resolve, in: device.epoch, of: path) { $0.discovered(path) }
        }
    }

    private func cancelExpiry(_ path: ObjectPath) {
        guard var attempt = devices[path]?.attempt else { return }
        cancel(&attempt.expiry)
        devices[path]?.attempt = attempt
    }

    // MARK: Attempts that fail

    private func attemptExpired(_ path: ObjectPath, _ epoch: Int) {
        guard let device = devices[path], device.epoch == epoch, device.attempt != nil else { return }
        devices[path]?.attempt?.expiry = nil
        abandonAttempt(path, .abortedByLocal)
    }

    /// Ends a `Connect` that has no link yet. An object that nothing keeps goes with it.
    func abandonAttempt(_ path: ObjectPath, _ error: BusError) {
        guard let device = devices[path], let attempt = device.attempt, !device.connected else { return }
        cancelExpiry(path)
        devices[path]?.attempt = nil
        let epoch = beginEpoch(path)
        fail(attempt.call, error)
        if device.kept { return }
        after(timing.abandon, in: epoch, of: path) { $0.remove(path) }
    }

    // MARK: Services

    /// Service discovery is done on a strip that was new.
    private func discovered(_ path: ObjectPath) {
        guard let device = devices[path] else { return }
        let strip = strips[device.strip]
        if strip.faults.missingResolutions > 0 {
            strips[device.strip].faults.missingResolutions -= 1
            return  // ServicesResolved stays false
        }
        if strip.faults.emptyResolutions > 0 {
            strips[device.strip].faults.emptyResolutions -= 1
            return resolved(path)
        }
        if strip.description.quirks.contains(.attError0) { return resolved(path) }
        if let late = strip.faults.objectsLate {
            resolved(path)
            return after(late, in: device.epoch, of: path) { $0.exportServices(path) }
        }
        exportServices(path)
        resolved(path)
    }

    private func exportServices(_ path: ObjectPath) {
        guard let device = devices[path] else { return }
        devices[path]?.gatt = GATTTable(device: path, of: strips[device.strip].description)
        for object in devices[path].map(gattObjects) ?? [] { added(object) }
    }

    private func resolved(_ path: ObjectPath) {
        guard let device = devices[path] else { return }
        devices[path]?.resolved = true
        let description = strips[device.strip].description
        if device.gatt != nil, !device.uuids.isEmpty, device.uuids == description.resolvedUUIDs {
            // BlueZ writes the CCCD again for those who had asked for notifications.
            if !device.notifySessions.isEmpty { subscribe(device.strip, true) }
            changed(path, .device, ["ServicesResolved": .bool(true)])
        } else {
            devices[path]?.uuids = description.resolvedUUIDs
            changed(
                path, .device,
                [
                    "UUIDs": .strings(description.resolvedUUIDs.map(longUUID)), "ServicesResolved": .bool(true),
                ])
        }
        guard let name = description.gapName, name != device.name else { return }
        after(timing.nameRead, in: device.epoch, of: path) { bluez in
            bluez.devices[path]?.name = name
            bluez.devices[path]?.alias = name
            bluez.changed(path, .device, ["Name": .string(name), "Alias": .string(name)])
        }
    }
}

extension StripDescription {
    /// What BlueZ lists once services are resolved.
    var resolvedUUIDs: [UInt16] {
        switch layout {
        case .ffd: [0x1800, 0x1801, 0xFFD0, 0xFFD5]
        case .ffe: [0x1800, 0x1801, 0xFFE0, 0xFFE5]
        case .other: [0x1800, 0x1801, 0x180F]
        }
    }
}
