import DBus

// BlueZ's messages about its objects, taken apart for the tree (org.freedesktop.DBus.ObjectManager and .Properties).

extension ObjectTree {
    /// The reply to `GetManagedObjects`: `a{oa{sa{sv}}}`.
    mutating func apply(managedObjects reply: DBusValue?) -> [Change] {
        // In the order of the paths: adapters before devices before services.
        let objects = (reply?.objects ?? [:]).sorted { $0.key.text < $1.key.text }
        return objects.flatMap { addInterfaces($0.value, at: $0.key) }
    }

    mutating func apply(_ signal: Signal) -> [Change] {
        let arguments = signal.arguments
        switch (signal.interface, signal.member) {
        case ("org.freedesktop.DBus.Properties", "PropertiesChanged"):
            guard let interface = arguments.first?.string, arguments.count > 1 else { return [] }
            let invalidated = arguments.count > 2 ? arguments[2].strings ?? [] : []
            return change(interface, at: signal.path, arguments[1].dictionary ?? [:], invalidated: invalidated)
        case ("org.freedesktop.DBus.ObjectManager", "InterfacesAdded"):
            guard let path = arguments.first?.objectPath, arguments.count > 1 else { return [] }
            return addInterfaces(arguments[1], at: path)
        case ("org.freedesktop.DBus.ObjectManager", "InterfacesRemoved"):
            guard let path = arguments.first?.objectPath, arguments.count > 1 else { return [] }
            return (arguments[1].strings ?? []).flatMap { remove($0, at: path) }
        default: return []
        }
    }

    /// - Parameter interfaces: `a{sa{sv}}`.
    private mutating func addInterfaces(_ interfaces: DBusValue, at path: ObjectPath) -> [Change] {
        (interfaces.dictionary ?? [:]).flatMap { add($0.key, at: path, $0.value.dictionary ?? [:]) }
    }
}
