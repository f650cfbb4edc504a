import DBus

/// Adapters come, go, and are switched on and off.
extension VirtualBlueZ {
    func adaptersAppear() {
        for index in adapters.indices where !adapters[index].present { appear(index) }
    }

    func appear(_ index: Int) {
        let atOnce = adapters[index].description.powered && timing.adapterPowersUp == .zero
        adapters[index].present = true
        adapters[index].powered = atOnce || adapters[index].leftPowered
        adapters[index].leftPowered = false
        added(adapters[index].object)
        restoreDevices(of: index)
        guard adapters[index].description.powered, !adapters[index].powered else { return }
        after(timing.adapterPowersUp) { bluez in
            guard bluez.adapters[index].present else { return }
            bluez.power(index, on: true)
        }
    }

    /// As when it is unplugged: links, then objects from the leaves up, and its power before itself.
    func disappear(_ index: Int) {
        store(devicesOf: index)
        endLinks(of: index)
        for device in devices(of: index) { remove(device.path) }
        sayPoweredOff(index)
        removed(adapters[index].object)
        adapters[index].stopServing()
    }

    /// As when bluetoothd is told to end: power, then links, then objects from the leaves up.
    func shutDown() {
        let present = adapters.indices.filter { adapters[$0].present }
        for index in present {
            store(devicesOf: index)
            sayPoweredOff(index)
            endLinks(of: index)
        }
        removed(Self.root)
        for index in present {
            for device in devices(of: index) { remove(device.path) }
            removed(adapters[index].object)
            adapters[index].stopServing()
        }
    }

    private func endLinks(of index: Int) {
        for device in devices(of: index) where device.connected { lose(device.path) }
    }

    private func sayPoweredOff(_ index: Int) {
        guard adapters[index].powered else { return }
        adapters[index].powered = false
        changed(adapters[index].path, .adapter, ["Powered": .bool(false), "Discovering": .bool(false)])
    }

    // MARK: Power

    func setPowered(_ index: Int, _ on: Bool, _ pending: PendingCall) {
        let adapter = adapters[index]
        guard adapter.powering == nil else { return fail(pending, .busy) }
        guard adapter.powered != on else { return reply(pending) }
        adapters[index].powering = on
        let path = adapter.path
        after(on ? timing.powerOn : timing.powerOff) { bluez in
            guard bluez.adapter(at: path) == index else { return bluez.fail(pending, .failed("")) }
            bluez.adapters[index].powering = nil
            if !on { bluez.forgetUnknown(index) }
            bluez.reply(pending)
            bluez.power(index, on: on)
        }
    }

    /// Switches the radio, whoever asked for it.
    func power(_ index: Int, on: Bool) {
        guard adapters[index].present, adapters[index].powered != on else { return }
        guard !on else {
            adapters[index].powered = true
            return changed(adapters[index].path, .adapter, ["Powered": .bool(true)])
        }
        forgetUnknown(index)
        endLinks(of: index)
        sayPoweredOff(index)
    }

    /// What power off does before its reply: attempts, unknown devices and discovery end.
    private func forgetUnknown(_ index: Int) {
        for device in devices(of: index) {
            if device.attempt != nil { abandonAttempt(device.path, .abortedByLocal) }
            if !device.connected, !device.everConnected, !device.kept { remove(device.path) }
            devices[device.path]?.rssi = nil
        }
        cancel(&adapters[index].scan)
        adapters[index].endDiscovery()
    }

    // MARK: What outlives bluetoothd

    func store(devicesOf index: Int) {
        for device in devices(of: index) {
            let key = StoredDevice.Key(adapter: index, strip: device.strip)
            let keeps = device.connected || device.kept
            stored[key] =
                keeps
                ? StoredDevice(name: device.name, alias: device.alias, uuids: device.uuids, trusted: device.trusted)
                : nil
        }
    }

    private func restoreDevices(of index: Int) {
        for strip in strips.indices {
            guard let old = stored[StoredDevice.Key(adapter: index, strip: strip)] else { continue }
            var device = VirtualDevice(
                path: path(of: strip, on: index), adapter: index, strip: strip, as: strips[strip].description)
            (device.name, device.alias, device.uuids, device.trusted) = (old.name, old.alias, old.uuids, old.trusted)
            (device.kept, device.everConnected) = (true, true)
            devices[device.path] = device
            added(object(of: device))
        }
    }

    func path(of strip: Int, on adapter: Int) -> ObjectPath {
        adapters[adapter].path.child("dev_" + strips[strip].description.address.replacing(":", with: "_"))
    }
}
