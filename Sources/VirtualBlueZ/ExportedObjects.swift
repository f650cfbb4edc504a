import DBus

/// The objects as clients see them: listing, coming, going, and their properties.
extension VirtualBlueZ {
    private static let objectManager = "org.freedesktop.DBus.ObjectManager"

    /// Is there as long as bluetoothd is.
    static let root = ObjectDescription(
        "/org/bluez", [(.agentManager, [:]), (.profileManager, [:]), (.healthManager, [:])])

    private var objects: [ObjectDescription] {
        var objects = [Self.root]
        for (index, adapter) in adapters.enumerated() where adapter.present {
            objects.append(adapter.object)
            for device in devices(of: index) {
                objects.append(object(of: device))
                objects += gattObjects(of: device)
            }
        }
        return objects
    }

    /// In the order of the strips.
    func devices(of adapter: Int) -> [VirtualDevice] {
        devices.values.filter { $0.adapter == adapter }.sorted { $0.strip < $1.strip }
    }

    func object(of device: VirtualDevice) -> ObjectDescription {
        let adapter = adapters[device.adapter].path
        return ObjectDescription(
            device.path, [(.device, device.properties(strips[device.strip].description, adapter: adapter))])
    }

    func gattObjects(of device: VirtualDevice) -> [ObjectDescription] {
        guard let table = device.gatt else { return [] }
        let notifying = !device.notifySessions.isEmpty
        return table.nodes.map { table.object($0, report: device.report, notifying: notifying) }
    }

    func object(at path: ObjectPath) -> ObjectDescription? { objects.first { $0.path == path } }

    var managedObjects: DBusValue {
        .dict(signature: "{oa{sa{sv}}}", objects.map { (.objectPath($0.path), $0.value) })
    }

    func added(_ object: ObjectDescription) {
        noteAdded(object)
        emit("/", Self.objectManager, "InterfacesAdded", [.objectPath(object.path), object.value])
    }

    func removed(_ object: ObjectDescription) {
        noteRemoved(object)
        // gdbus lists the two that it adds itself first, and backwards.
        let own = object.interfaces.dropFirst().dropLast().map(\.name)
        let names = [Interface.properties, .introspectable] + own
        emit(
            "/", Self.objectManager, "InterfacesRemoved",
            [.objectPath(object.path), .strings(names.map(\.rawValue))])
    }

    func introspection(of path: ObjectPath) -> String {
        let all = objects
        let prefix = path.text == "/" ? "/" : path.text + "/"
        var children: [String] = []
        for object in all where object.path.text.hasPrefix(prefix) {
            let child = String(object.path.text.dropFirst(prefix.count).prefix { $0 != "/" })
            if !children.contains(child) { children.append(child) }
        }
        let interfaces = all.first { $0.path == path }?.interfaces.map(\.name.rawValue) ?? []
        return "<node>" + interfaces.map { "<interface name=\"\($0)\"/>" }.joined()
            + children.map { "<node name=\"\($0)\"/>" }.joined() + "</node>"
    }

    // MARK: Properties

    func performOnProperties(_ pending: PendingCall) {
        let call = pending.call
        guard let object = object(at: call.path) else { return fail(pending, .unknownObject(call)) }
        guard case .string(let interface)? = call.arguments.first,
            let found = object.interfaces.first(where: { $0.name.rawValue == interface })
        else { return fail(pending, invalid("No such interface")) }
        if call.member == "GetAll" { return reply(pending, [found.properties.value]) }
        guard call.arguments.count > 1, case .string(let name) = call.arguments[1],
            let value = found.properties[name]
        else { return fail(pending, invalid("No such property")) }
        switch call.member {
        case "Get": reply(pending, [.variant(value)])
        case "Set":
            guard call.arguments.count > 2, case .variant(let new) = call.arguments[2] else {
                return fail(pending, .invalidArguments)
            }
            set(found.name, name, to: new, pending)
        default: fail(pending, .unknownMethod(call))
        }
    }

    private func set(_ interface: Interface, _ name: String, to value: DBusValue, _ pending: PendingCall) {
        let path = pending.call.path
        switch (interface, name, value) {
        case (.adapter, "Powered", .bool(let on)):
            guard let index = adapter(at: path) else { return fail(pending, .unknownObject(pending.call)) }
            return setPowered(index, on, pending)
        case (.adapter, "Alias", .string(let alias)):
            guard let index = adapter(at: path) else { return fail(pending, .unknownObject(pending.call)) }
            adapters[index].alias = alias
        case (.adapter, "Discoverable", .bool(let on)), (.adapter, "Pairable", .bool(let on)):
            guard let index = adapter(at: path) else { return fail(pending, .unknownObject(pending.call)) }
            adapters[index].switches[name] = on
        case (.device, "Trusted", .bool(let trusted)): setTrusted(path, trusted)
        case (.device, "Alias", .string(let alias)): devices[path]?.alias = alias
        case (.device, "Blocked", .bool(let blocked)): devices[path]?.blocked = blocked
        default:
            return fail(
                pending,
                BusError(
                    name: "org.freedesktop.DBus.Error.PropertyReadOnly",
                    message: "Property '\(name)' is not writable"))
        }
        reply(pending)
        if let now = object(at: path)?.interfaces.first(where: { $0.name == interface })?.properties[name] {
            changed(path, interface, [name: now])
        }
    }

    /// It keeps a device only while that is connected; before the first link it does nothing.
    private func setTrusted(_ path: ObjectPath, _ trusted: Bool) {
        guard let device = devices[path] else { return }
        devices[path]?.trusted = trusted
        devices[path]?.kept = trusted && (device.connected || device.kept)
    }

    private func invalid(_ message: String) -> BusError {
        BusError(name: "org.freedesktop.DBus.Error.InvalidArgs", message: message)
    }
}
