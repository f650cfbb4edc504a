import DBus

// BlueZ's objects and signals as literals, as recorded with BlueZ 5.66.

struct Object: Sendable {
    var path: ObjectPath
    var interface: String
    var properties: [String: DBusValue]
}

let hci0: ObjectPath = "/org/bluez/hci0"
let desk: ObjectPath = "/org/bluez/hci0/dev_FF_FF_38_5B_40_65"
let ffd9: ObjectPath = "/org/bluez/hci0/dev_FF_FF_38_5B_40_65/service000c/char000d"
let ffd4: ObjectPath = "/org/bluez/hci0/dev_FF_FF_38_5B_40_65/service000f/char0010"
let deskAddress = "FF:FF:38:5B:40:65"

let adapter1 = "org.bluez.Adapter1"
let device1 = "org.bluez.Device1"
let service1 = "org.bluez.GattService1"
let characteristic1 = "org.bluez.GattCharacteristic1"

extension Object {
    static let hci0 = adapter("/org/bluez/hci0")

    static func adapter(_ path: ObjectPath, powered: Bool = true) -> Object {
        Object(
            path: path, interface: adapter1,
            properties: [
                "Address": .string("00:AA:01:00:00:23"), "Powered": .bool(powered), "Discovering": .bool(false),
            ])
    }

    /// A device as it is first heard, with no UUIDs as most strips have it.
    static func device(
        _ path: ObjectPath = desk, on adapter: ObjectPath = "/org/bluez/hci0", address: String = deskAddress,
        name: String? = "Triones-FFFF385B4065", rssi: Int16? = -57, connected: Bool = false
    ) -> Object {
        var properties: [String: DBusValue] = [
            "Address": .string(address), "AddressType": .string("public"), "Adapter": .objectPath(adapter),
            "Alias": .string(name ?? address.replacing(":", with: "-")), "Trusted": .bool(false),
            "Connected": .bool(connected), "ServicesResolved": .bool(connected),
            "UUIDs": .array(element: "s", []),
        ]
        properties["Name"] = name.map { .string($0) }
        properties["RSSI"] = rssi.map { .int16($0) }
        return Object(path: path, interface: device1, properties: properties)
    }

    static func service(_ path: ObjectPath, _ uuid: String, of device: ObjectPath = desk) -> Object {
        Object(
            path: path, interface: service1,
            properties: ["UUID": .string(uuid), "Device": .objectPath(device), "Primary": .bool(true)])
    }

    static func characteristic(_ path: ObjectPath, _ uuid: String, _ flags: [String], of service: ObjectPath) -> Object
    {
        Object(
            path: path, interface: characteristic1,
            properties: [
                "UUID": .string(uuid), "Service": .objectPath(service), "Value": .bytes([]),
                "Flags": .array(element: "s", flags.map { .string($0) }),
            ])
    }

    static let ffd5 = service(
        "/org/bluez/hci0/dev_FF_FF_38_5B_40_65/service000c", "0000ffd5-0000-1000-8000-00805f9b34fb")
    static let ffd0 = service(
        "/org/bluez/hci0/dev_FF_FF_38_5B_40_65/service000f", "0000ffd0-0000-1000-8000-00805f9b34fb")
    static let ffd9 = characteristic(
        BlueZTests.ffd9, "0000ffd9-0000-1000-8000-00805f9b34fb", ["write-without-response", "write"],
        of: "/org/bluez/hci0/dev_FF_FF_38_5B_40_65/service000c")
    static let ffd4 = characteristic(
        BlueZTests.ffd4, "0000ffd4-0000-1000-8000-00805f9b34fb", ["read", "notify"],
        of: "/org/bluez/hci0/dev_FF_FF_38_5B_40_65/service000f")

    /// A strip that is linked and resolved.
    static let linked: [Object] = [.hci0, .device(connected: true), .ffd5, .ffd9, .ffd0, .ffd4]
}

/// The reply to GetManagedObjects.
func managed(_ objects: [Object]) -> DBusValue {
    .dict(
        signature: "{oa{sa{sv}}}",
        objects.map { (.objectPath($0.path), interfaces($0)) })
}

private func interfaces(_ object: Object) -> DBusValue {
    .dict(
        signature: "{sa{sv}}",
        [
            (.string("org.freedesktop.DBus.Introspectable"), .options([:])),
            (.string(object.interface), .options(object.properties)),
        ])
}

extension Signal {
    static func changed(
        _ path: ObjectPath, _ interface: String, _ changed: [String: DBusValue], invalidated: [String] = []
    ) -> Signal {
        Signal(
            path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
            arguments: [
                .string(interface), .options(changed), .array(element: "s", invalidated.map { .string($0) }),
            ])
    }

    static func added(_ object: Object) -> Signal {
        Signal(
            path: "/", interface: "org.freedesktop.DBus.ObjectManager", member: "InterfacesAdded",
            arguments: [.objectPath(object.path), interfaces(object)])
    }

    static func removed(_ path: ObjectPath, _ interfaces: [String]) -> Signal {
        Signal(
            path: "/", interface: "org.freedesktop.DBus.ObjectManager", member: "InterfacesRemoved",
            arguments: [.objectPath(path), .array(element: "s", interfaces.map { .string($0) })])
    }
}
