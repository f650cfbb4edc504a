import DBus

/// Who discovers, and what is heard.
extension VirtualBlueZ {
    func setDiscoveryFilter(_ index: Int, _ pending: PendingCall) {
        guard adapters[index].powered else { return fail(pending, .notReady) }
        guard let filter = DiscoveryFilter(pending.call.arguments.first) else {
            return fail(pending, .invalidArguments)
        }
        adapters[index].filters[pending.call.sender] = filter
        reply(pending)
    }

    func startDiscovery(_ index: Int, _ pending: PendingCall) {
        let adapter = adapters[index]
        guard adapter.powered else { return fail(pending, .notReady) }
        guard !adapter.hung else {
            after(timing.hungDiscovery) { $0.fail(pending, .discoveryInProgress) }
            return
        }
        guard !adapter.discoverers.contains(pending.call.sender) else { return fail(pending, .discoveryInProgress) }
        adapters[index].discoverers.insert(pending.call.sender)
        guard !adapter.discovering else { return reply(pending) }
        // Of several clients that call before the scan has begun, only the last one is answered.
        adapters[index].starting = pending
        guard adapter.starting == nil else { return }
        let discovery = adapter.discovery
        after(timing.discoveryStarts) { $0.discoveryStarted(index, discovery) }
    }

    private func discoveryStarted(_ index: Int, _ discovery: Int) {
        guard adapters[index].discovery == discovery else { return }
        adapters[index].discovering = true
        changed(adapters[index].path, .adapter, ["Discovering": .bool(true)])
        if let pending = adapters[index].starting { reply(pending) }
        adapters[index].starting = nil
        adapters[index].scan = after(timing.firstReport) { $0.scan(index) }
    }

    func stopDiscovery(_ index: Int, _ pending: PendingCall) {
        guard adapters[index].powered else { return fail(pending, .notReady) }
        let client = pending.call.sender
        guard adapters[index].discoverers.contains(client) else { return fail(pending, .noDiscovery) }
        guard adapters[index].stopping.insert(client).inserted else { return fail(pending, .inProgress) }
        let discovery = adapters[index].discovery
        after(timing.discoveryStops) { bluez in
            bluez.reply(pending)
            guard bluez.adapters[index].discovery == discovery else { return }
            bluez.endDiscovery(index, of: client)
        }
    }

    private func endDiscovery(_ index: Int, of client: String) {
        adapters[index].filters[client] = nil
        adapters[index].stopping.remove(client)
        guard adapters[index].discoverers.remove(client) != nil, adapters[index].discoverers.isEmpty else { return }
        let wasDiscovering = adapters[index].discovering
        cancel(&adapters[index].scan)
        adapters[index].endDiscovery()
        guard wasDiscovering else { return }
        for device in devices(of: index) where device.rssi != nil {
            devices[device.path]?.rssi = nil
            changed(device.path, .device, [:], invalidated: ["RSSI"])
        }
        changed(adapters[index].path, .adapter, ["Discovering": .bool(false)])
        reachWaiting(on: index)
    }

    /// A client that leaves the bus takes its discovery and its notify sessions along; links stay.
    func clientLeft(_ client: String) {
        for index in adapters.indices { endDiscovery(index, of: client) }
        for path in devices.keys { endNotifySession(path, of: client) }
    }

    // MARK: The air

    /// A scan begins: each strip is heard once.
    private func scan(_ index: Int) {
        guard adapters[index].discovering else { return }
        adapters[index].seen = []
        for strip in strips.indices { hear(strip, on: index) }
        let period = adapters[index].description.filtersDuplicates ? timing.rssiPeriod : .milliseconds(100)
        adapters[index].scan = after(min(period, timing.rssiPeriod)) { $0.scan(index) }
    }

    func reaches(_ strip: Int, from index: Int) -> Bool {
        let adapter = adapters[index]
        return adapter.present && adapter.powered && !adapter.hung && strips[strip].advertises
            && adapter.hears(strips[strip].description)
    }

    func hear(_ strip: Int, on index: Int) {
        guard reaches(strip, from: index), adapters[index].discovering else { return }
        adapters[index].seen.insert(strip)
        let path = path(of: strip, on: index)
        let description = strips[strip].description
        if wanted(description, on: index) {
            if devices[path] != nil {
                devices[path]?.rssi = description.rssi
                changed(path, .device, ["RSSI": .int16(description.rssi)])
            } else {
                var device = VirtualDevice(path: path, adapter: index, strip: strip, as: description)
                device.rssi = description.rssi
                devices[path] = device
                added(object(of: device))
            }
            vanishLater(path)
        }
        reach(path)
    }

    private func wanted(_ strip: StripDescription, on index: Int) -> Bool {
        let adapter = adapters[index]
        return adapter.discoverers.contains { adapter.filters[$0, default: DiscoveryFilter()].passes(strip) }
    }

    /// Called whenever a strip may have begun to advertise.
    func advertisingBegan(_ strip: Int) {
        guard strips[strip].advertises else { return }
        for index in adapters.indices where reaches(strip, from: index) {
            if adapters[index].discovering, !adapters[index].seen.contains(strip) {
                let discovery = adapters[index].discovery
                after(timing.firstReport) { bluez in
                    guard bluez.adapters[index].discovery == discovery, !bluez.adapters[index].seen.contains(strip)
                    else { return }
                    bluez.hear(strip, on: index)
                }
            } else {
                reachUnlessFiltered(path(of: strip, on: index))
            }
        }
    }

    // MARK: Vanishing

    /// Starts its time anew.
    func vanishLater(_ path: ObjectPath) {
        stopVanishing(path)
        guard let device = devices[path], !device.connected, device.attempt == nil, !device.kept else { return }
        devices[path]?.vanishing = after(timing.vanish) { bluez in
            bluez.devices[path]?.vanishing = nil
            bluez.remove(path)
        }
    }

    func stopVanishing(_ path: ObjectPath) {
        guard var device = devices[path] else { return }
        cancel(&device.vanishing)
        devices[path] = device
    }

    /// The object and all below it go, leaves first.
    func remove(_ path: ObjectPath) {
        guard var device = devices[path] else { return }
        cancel(&device.vanishing)
        if var attempt = device.attempt { cancel(&attempt.expiry) }
        let objects = gattObjects(of: device)
        for node in device.gatt?.leavesFirst ?? [] {
            if let object = objects.first(where: { $0.path == node }) { removed(object) }
        }
        removed(self.object(of: device))
        devices[path] = nil
    }
}
