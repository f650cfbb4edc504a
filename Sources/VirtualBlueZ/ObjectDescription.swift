import DBus

/// Properties in the order in which bluetoothd lists them.
struct Properties: Sendable, ExpressibleByDictionaryLiteral {
    private(set) var pairs: [(name: String, value: DBusValue)]

    init(dictionaryLiteral elements: (String, DBusValue)...) {
        pairs = elements.map { (name: $0.0, value: $0.1) }
    }

    mutating func append(_ name: String, _ value: DBusValue) { pairs.append((name: name, value: value)) }

    subscript(name: String) -> DBusValue? { pairs.first { $0.name == name }?.value }

    /// As `a{sv}`.
    var value: DBusValue {
        .dict(signature: "{sv}", pairs.map { (.string($0.name), .variant($0.value)) })
    }
}

enum Interface: String, Sendable {
    case adapter = "org.bluez.Adapter1"
    case device = "org.bluez.Device1"
    case service = "org.bluez.GattService1"
    case characteristic = "org.bluez.GattCharacteristic1"
    case descriptor = "org.bluez.GattDescriptor1"
    case gattManager = "org.bluez.GattManager1"
    case media = "org.bluez.Media1"
    case advertisingManager = "org.bluez.LEAdvertisingManager1"
    case agentManager = "org.bluez.AgentManager1"
    case profileManager = "org.bluez.ProfileManager1"
    case healthManager = "org.bluez.HealthManager1"
    case introspectable = "org.freedesktop.DBus.Introspectable"
    case properties = "org.freedesktop.DBus.Properties"
}

/// What one object says about itself.
struct ObjectDescription: Sendable {
    var path: ObjectPath
    var interfaces: [(name: Interface, properties: Properties)]

    init(_ path: ObjectPath, _ interfaces: [(name: Interface, properties: Properties)]) {
        self.path = path
        // gdbus adds these two to each object.
        self.interfaces = [(.introspectable, [:])] + interfaces + [(.properties, [:])]
    }

    /// As `a{sa{sv}}`.
    var value: DBusValue {
        .dict(signature: "{sa{sv}}", interfaces.map { (.string($0.name.rawValue), $0.properties.value) })
    }
}

extension ObjectPath {
    /// The object `name` right below this one. `name` is one of ours: letters, digits and underscores.
    func child(_ name: String) -> ObjectPath { ObjectPath("\(text)/\(name)") ?? self }
}

/// A 16-bit UUID as BlueZ writes it.
func longUUID(_ short: UInt16) -> String {
    "0000" + hex(UInt8(short >> 8)) + hex(UInt8(truncatingIfNeeded: short)) + "-0000-1000-8000-00805f9b34fb"
}
