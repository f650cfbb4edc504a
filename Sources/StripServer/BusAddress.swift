import StripModel

/// The address of a message bus, looked at before it is used: one that nobody could ever connect to is a mistake of
/// whoever started us, while a bus that does not answer yet is waited for.
enum BusAddress {
    static let system = "unix:path=/run/dbus/system_bus_socket"

    static func chosen(by options: Options, _ environment: [String: String]) throws(PlaceError) -> String {
        if let given = options.bus { return given }
        guard let given = environment["DBUS_SYSTEM_BUS_ADDRESS"], !given.isEmpty else { return system }
        guard isWellFormed(given) else {
            throw PlaceError("DBUS_SYSTEM_BUS_ADDRESS: \(quoted(given)) is no bus address; accepted: \(system)")
        }
        return given
    }

    /// `transport:key=value,key=value`, several with semicolons between (D-Bus specification, "Server Addresses").
    static func isWellFormed(_ text: String) -> Bool {
        let addresses = text.split(separator: ";")
        return !addresses.isEmpty && addresses.allSatisfy(isOneAddress)
    }

    private static func isOneAddress(_ text: Substring) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex else { return false }
        let pairs = text[text.utf8.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
        return pairs.allSatisfy { pair in
            guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")), equals != pair.startIndex else {
                return false
            }
            return isValue(pair.utf8[pair.utf8.index(after: equals)...])
        }
    }

    /// These bytes may stand for themselves; all others are escaped as `%` and two digits.
    private static func isValue(_ bytes: Substring.UTF8View.SubSequence) -> Bool {
        var rest = bytes
        guard !rest.isEmpty else { return false }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
                UInt8(ascii: "."), UInt8(ascii: "\\"), UInt8(ascii: "*"):
                continue
            case UInt8(ascii: "%"):
                guard let one = rest.popFirst(), let two = rest.popFirst(), isHex(one), isHex(two) else { return false }
            default: return false
            }
        }
        return true
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
