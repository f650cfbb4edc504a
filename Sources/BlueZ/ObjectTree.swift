import DBus

/// BlueZ's objects as values, kept up to date by its signals. Pure: facts go in, changes come out.
///
/// Nothing that arrives is trusted: objects may come in any order and without their parents, properties may be missing
/// or have the wrong type (then the old value stays), and signals about unknown objects are ignored.
struct ObjectTree {
    /// An `a{sv}`: a property that is absent or has another type than documented reads as `nil`.
    typealias Properties = [String: DBusValue]

    private(set) var adapters: [ObjectPath: Adapter] = [:]
    private(set) var devices: [ObjectPath: Device] = [:]
    private var services: [ObjectPath: Service] = [:]
    private var endpoints: [ObjectPath: Endpoint] = [:]

    private var devicePaths: [String: Set<ObjectPath>] = [:]  // by address
    private var servicePaths: [ObjectPath: Set<ObjectPath>] = [:]  // by device
    private var endpointPaths: [ObjectPath: Set<ObjectPath>] = [:]  // by service

    private struct Service {
        var device: ObjectPath
        var uuid: String
    }

    /// A characteristic as BlueZ tells it: which device it is part of, only its service knows.
    fileprivate struct Endpoint {
        var service: ObjectPath
        var uuid: String
        var flags: Set<String> = []
        var notifying = false
    }

    /// What became different. Each case carries the value as it is now.
    enum Change: Hashable {
        case adapter(Adapter)
        case adapterRemoved(ObjectPath)
        case deviceAppeared(Device)
        case deviceChanged(Device)
        case deviceHeard(Device)
        case deviceVanished(ObjectPath, address: String)
        case characteristics(of: ObjectPath)
        case notified(ObjectPath, device: ObjectPath, value: [UInt8])
        /// One object that is no adapter and no device went.
        case removed(ObjectPath)
    }

    // MARK: Reading

    func contains(_ path: ObjectPath) -> Bool {
        adapters[path] != nil || devices[path] != nil || endpoints[path] != nil
    }

    func devices(withAddress address: String) -> [Device] {
        (devicePaths[address] ?? []).compactMap { devices[$0] }.sorted { $0.path.text < $1.path.text }
    }

    /// Those whose service is known, in the order of their handles.
    func characteristics(of device: ObjectPath) -> [Characteristic] {
        let paths = (servicePaths[device] ?? []).flatMap { endpointPaths[$0] ?? [] }
        return paths.compactMap(characteristic).sorted { $0.path.text < $1.path.text }
    }

    private func characteristic(at path: ObjectPath) -> Characteristic? {
        guard let endpoint = endpoints[path], let service = services[endpoint.service] else { return nil }
        return Characteristic(
            path: path, device: service.device, service: service.uuid, uuid: endpoint.uuid, flags: endpoint.flags,
            notifying: endpoint.notifying)
    }

    // MARK: Objects that come

    mutating func add(_ interface: String, at path: ObjectPath, _ properties: Properties) -> [Change] {
        switch interface {
        case "org.bluez.Adapter1":
            var adapter = Adapter(path: path)
            adapter.update(properties)
            guard adapters.updateValue(adapter, forKey: path) != adapter else { return [] }
            return [.adapter(adapter)]
        case "org.bluez.Device1": return addDevice(at: path, properties)
        case "org.bluez.GattService1":
            guard let device = properties["Device"]?.objectPath ?? path.parent, let uuid = properties["UUID"]?.string
            else {
                return []
            }
            if let old = services[path] { servicePaths[old.device]?.remove(path) }
            services[path] = Service(device: device, uuid: uuid.lowercased())
            servicePaths[device, default: []].insert(path)
            return endpointPaths[path]?.isEmpty == false ? [.characteristics(of: device)] : []
        case "org.bluez.GattCharacteristic1":
            guard let service = properties["Service"]?.objectPath ?? path.parent, let uuid = properties["UUID"]?.string
            else {
                return []
            }
            if let old = endpoints[path] { endpointPaths[old.service]?.remove(path) }
            var endpoint = Endpoint(service: service, uuid: uuid.lowercased())
            _ = endpoint.update(properties)
            endpoints[path] = endpoint
            endpointPaths[service, default: []].insert(path)
            return services[service].map { [.characteristics(of: $0.device)] } ?? []
        default: return []
        }
    }

    private mutating func addDevice(at path: ObjectPath, _ properties: Properties) -> [Change] {
        guard let adapter = properties["Adapter"]?.objectPath ?? path.parent,
            let address = properties["Address"]?.string ?? addressInPath(path)
        else { return [] }
        var device = Device(path: path, adapter: adapter, address: address.uppercased())
        device.update(properties)
        var changes: [Change] = []
        if let old = devices[path], old.address != device.address { changes = forget(device: old) }
        let isNew = devices.updateValue(device, forKey: path) == nil
        devicePaths[device.address, default: []].insert(path)
        changes.append(isNew ? .deviceAppeared(device) : .deviceChanged(device))
        if device.rssi != nil { changes.append(.deviceHeard(device)) }
        return changes
    }

    // MARK: Objects that change

    mutating func change(
        _ interface: String, at path: ObjectPath, _ properties: Properties, invalidated: [String]
    ) -> [Change] {
        switch interface {
        case "org.bluez.Adapter1":
            guard let old = adapters[path] else { return [] }
            var adapter = old
            adapter.update(properties)
            guard adapter != old else { return [] }
            adapters[path] = adapter
            return [.adapter(adapter)]
        case "org.bluez.Device1": return changeDevice(at: path, properties, invalidated)
        case "org.bluez.GattCharacteristic1":
            guard var endpoint = endpoints[path], let device = services[endpoint.service]?.device else { return [] }
            let differs = endpoint.update(properties)
            endpoints[path] = endpoint
            let value = properties["Value"]?.bytes.map { Change.notified(path, device: device, value: $0) }
            return (differs ? [.characteristics(of: device)] : []) + (value.map { [$0] } ?? [])
        default: return []
        }
    }

    private mutating func changeDevice(
        at path: ObjectPath, _ properties: Properties, _ invalidated: [String]
    ) -> [Change] {
        guard let old = devices[path] else { return [] }
        var device = old
        device.update(properties)
        if invalidated.contains("RSSI") { device.rssi = nil }
        if invalidated.contains("Name") { device.name = nil }
        var changes: [Change] = []
        if device.address != old.address {  // a private address was resolved
            changes = forget(device: old) + [.deviceAppeared(device)]
            devicePaths[device.address, default: []].insert(path)
        }
        devices[path] = device
        var aside = old  // what is left when signal strength coming in is left aside
        if device.rssi != nil { aside.rssi = device.rssi }
        if device != aside { changes.append(.deviceChanged(device)) }
        if properties["RSSI"]?.int != nil || properties["Name"]?.string != nil { changes.append(.deviceHeard(device)) }
        return changes
    }

    // MARK: Objects that go

    mutating func remove(_ interface: String, at path: ObjectPath) -> [Change] {
        switch interface {
        case "org.bluez.Adapter1":
            // Unplugged: what lies below goes first, whether or not BlueZ says so.
            let below = devices.values.filter { $0.adapter == path }.sorted { $0.path.text < $1.path.text }
            let changes = below.flatMap { forget(device: $0) }
            return changes + (adapters.removeValue(forKey: path) == nil ? [] : [.adapterRemoved(path)])
        case "org.bluez.Device1": return devices[path].map { forget(device: $0) } ?? []
        case "org.bluez.GattService1":
            guard let service = services.removeValue(forKey: path) else { return [] }
            servicePaths[service.device]?.remove(path)
            return endpointPaths[path]?.isEmpty == false ? [.characteristics(of: service.device)] : []
        case "org.bluez.GattCharacteristic1":
            guard let endpoint = endpoints.removeValue(forKey: path) else { return [] }
            endpointPaths[endpoint.service]?.remove(path)
            if endpointPaths[endpoint.service]?.isEmpty == true { endpointPaths[endpoint.service] = nil }
            return [.removed(path)] + (services[endpoint.service].map { [.characteristics(of: $0.device)] } ?? [])
        default: return []
        }
    }

    /// bluetoothd is gone, and everything with it.
    mutating func removeAll() -> [Change] {
        let vanished = devices.values.sorted { $0.path.text < $1.path.text }
        let removed = adapters.values.sorted()
        self = ObjectTree()
        return vanished.map { .deviceVanished($0.path, address: $0.address) } + removed.map { .adapterRemoved($0.path) }
    }

    private mutating func forget(device: Device) -> [Change] {
        devices[device.path] = nil
        devicePaths[device.address]?.remove(device.path)
        if devicePaths[device.address]?.isEmpty == true { devicePaths[device.address] = nil }
        for service in servicePaths.removeValue(forKey: device.path) ?? [] {
            services[service] = nil
            for endpoint in endpointPaths.removeValue(forKey: service) ?? [] { endpoints[endpoint] = nil }
        }
        return [.deviceVanished(device.path, address: device.address)]
    }
}

extension Adapter {
    fileprivate mutating func update(_ properties: ObjectTree.Properties) {
        address = properties["Address"]?.string ?? address
        powered = properties["Powered"]?.bool ?? powered
        discovering = properties["Discovering"]?.bool ?? discovering
    }
}

extension Device {
    fileprivate mutating func update(_ properties: ObjectTree.Properties) {
        adapter = properties["Adapter"]?.objectPath ?? adapter
        address = properties["Address"]?.string?.uppercased() ?? address
        name = properties["Name"]?.string ?? name
        alias = properties["Alias"]?.string ?? alias
        rssi = properties["RSSI"]?.int ?? rssi
        connected = properties["Connected"]?.bool ?? connected
        servicesResolved = properties["ServicesResolved"]?.bool ?? servicesResolved
        trusted = properties["Trusted"]?.bool ?? trusted
        uuids = properties["UUIDs"]?.strings?.map { $0.lowercased() } ?? uuids
        addressType = properties["AddressType"]?.string ?? addressType
    }
}

extension ObjectTree.Endpoint {
    fileprivate mutating func update(_ properties: ObjectTree.Properties) -> Bool {
        let old = (flags, notifying)
        flags = properties["Flags"]?.strings.map { Set($0) } ?? flags
        notifying = properties["Notifying"]?.bool ?? notifying
        return old != (flags, notifying)
    }
}

/// `dev_AA_BB_CC_DD_EE_FF`, for a device that does not tell its address.
private func addressInPath(_ path: ObjectPath) -> String? {
    let parts = path.lastComponent.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 7, parts[0] == "dev",
        parts.dropFirst().allSatisfy({ $0.count == 2 && UInt8($0, radix: 16) != nil })
    else { return nil }
    return parts.dropFirst().joined(separator: ":")
}
