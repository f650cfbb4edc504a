public import DBus

/// The host's radio: `org.bluez.Adapter1`.
public struct Adapter: Hashable, Sendable {
    public let path: ObjectPath
    /// As BlueZ writes it: upper case with colons.
    public var address: String
    public var powered: Bool
    /// True while any client of BlueZ discovers, not only us.
    public var discovering: Bool

    public init(path: ObjectPath, address: String = "", powered: Bool = false, discovering: Bool = false) {
        self.path = path
        self.address = address
        self.powered = powered
        self.discovering = discovering
    }

    /// As users know it: `hci0`. Numbers change when adapters are plugged; addresses do not.
    public var name: String { String(path.lastComponent) }
}

extension Adapter: Comparable {
    /// In the order of the numbers: hci2 before hci10.
    public static func < (one: Adapter, other: Adapter) -> Bool {
        (one.number, one.path.text) < (other.number, other.path.text)
    }

    /// Names without a number come last.
    private var number: Int {
        let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }
        return Int(String(digits.reversed())) ?? .max
    }
}
