/// What the product tells its users as it happens.
public enum StripEvent: Hashable, Sendable {
    /// Everything there is, for one who has just begun to listen.
    case snapshot([StripView])
    case strip(StripView)
    case removed(BluetoothAddress)
    case adapter(AdapterView)
}

/// An adapter as the product shows it.
public struct AdapterView: Codable, Hashable, Sendable {
    /// `hci0`.
    public var name: String
    public var address: BluetoothAddress
    public var powered: Bool
    public var discovering: Bool
    /// It is one of those that strips are driven through.
    public var inUse: Bool

    public init(name: String, address: BluetoothAddress, powered: Bool, discovering: Bool, inUse: Bool) {
        self.name = name
        self.address = address
        self.powered = powered
        self.discovering = discovering
        self.inUse = inUse
    }

    enum CodingKeys: String, CodingKey {
        case name, address, powered, discovering
        case inUse = "in_use"
    }
}
