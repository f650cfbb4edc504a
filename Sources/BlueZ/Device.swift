public import DBus

/// A remote peer as BlueZ sees it: `org.bluez.Device1`, one for each adapter that heard it.
public struct Device: Hashable, Sendable {
    public let path: ObjectPath
    public var adapter: ObjectPath
    /// As BlueZ writes it: upper case with colons.
    public var address: String
    /// What the peer calls itself; `nil` when it advertises no name.
    public var name: String?
    /// Never absent in BlueZ: the user's name for it, else `name`, else the address with dashes.
    public var alias: String?
    /// `nil` unless the peer was heard in a discovery that is going on.
    public var rssi: Int?
    public var connected: Bool
    /// That BlueZ is done asking for services; not that there are any (Protocol/bluez.md, "Services").
    public var servicesResolved: Bool
    /// Trusted devices are kept when they are out of range.
    public var trusted: Bool
    /// Advertised and discovered services, lower case.
    public var uuids: [String]
    /// `public` or `random`.
    public var addressType: String?

    public init(
        path: ObjectPath, adapter: ObjectPath, address: String, name: String? = nil, alias: String? = nil,
        rssi: Int? = nil, connected: Bool = false, servicesResolved: Bool = false, trusted: Bool = false,
        uuids: [String] = [], addressType: String? = nil
    ) {
        self.path = path
        self.adapter = adapter
        self.address = address
        self.name = name
        self.alias = alias
        self.rssi = rssi
        self.connected = connected
        self.servicesResolved = servicesResolved
        self.trusted = trusted
        self.uuids = uuids
        self.addressType = addressType
    }
}
