import DBus

// BlueZ's messages about its objects, taken apart for the tree (org.freedesktop.DBus.ObjectManager and .Properties).

extension ObjectTree {
    /// The reply to `GetManagedObjects`: `a{oa{sa{sv}}}`.
    mutating func apply(managedObjects reply: DBusValue?) -> [Change] {
        var changes: [Change] = []
        // In the order of the paths: adapters before devices before services.
        for (text, interfaces) in dictionary(reply).sorted(by: { $0.0 < $1.0 }) {
            guard let path = ObjectPath(text) else { continue }
            for (interface, properties) in dictionary(interfaces) {
                changes += add(interface, at: path, Properties(properties))
            }
        }
        return changes
    }

    mutating func apply(_ signal: Signal) -> [Change] {
        let arguments = signal.arguments
        switch (signal.interface, signal.member) {
        case ("org.freedesktop.DBus.Properties", "PropertiesChanged"):
            guard case .string(let interface)? = arguments.first, arguments.count > 1 else { return [] }
            let invalidated = arguments.count > 2 ? strings(arguments[2]) ?? [] : []
            return change(interface, at: signal.path, Properties(arguments[1]), invalidated: invalidated)
        case ("org.freedesktop.DBus.ObjectManager", "InterfacesAdded"):
            guard case .objectPath(let path)? = arguments.first, arguments.count > 1 else { return [] }
            return dictionary(arguments[1]).flatMap { add($0.0, at: path, Properties($0.1)) }
        case ("org.freedesktop.DBus.ObjectManager", "InterfacesRemoved"):
            guard case .objectPath(let path)? = arguments.first, arguments.count > 1 else { return [] }
            return (strings(arguments[1]) ?? []).flatMap { remove($0, at: path) }
        default: return []
        }
    }
}
