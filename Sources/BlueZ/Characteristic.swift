public import DBus

/// A GATT characteristic of a device: `org.bluez.GattCharacteristic1`, together with the service it belongs to.
public struct Characteristic: Hashable, Sendable {
    public let path: ObjectPath
    public var device: ObjectPath
    /// The service's UUID, lower case and in full.
    public var service: String
    /// Lower case and in full.
    public var uuid: String
    /// As BlueZ names them: `write`, `write-without-response`, `notify`, …
    public var flags: Set<String>
    /// That some client has notifications on.
    public var notifying: Bool

    public init(
        path: ObjectPath, device: ObjectPath, service: String, uuid: String, flags: Set<String> = [],
        notifying: Bool = false
    ) {
        self.path = path
        self.device = device
        self.service = service
        self.uuid = uuid
        self.flags = flags
        self.notifying = notifying
    }

    /// Whether it is the characteristic that the Bluetooth base UUID shortens to `short`.
    public func has16BitUUID(_ short: UInt16) -> Bool { uuid == fullUUID(short) }
}

/// Bluetooth Core Specification, Vol 3, Part B, 2.5.1: a 16-bit UUID stands for this one.
func fullUUID(_ short: UInt16) -> String {
    let digits = String(short, radix: 16)
    return "0000" + String(repeating: "0", count: 4 - digits.count) + digits + "-0000-1000-8000-00805f9b34fb"
}
