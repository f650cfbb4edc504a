import Glibc

/// A descriptor that closes itself. D-Bus hands the receiver its own duplicate.
public final class OwnedDescriptor: Sendable {
    public let raw: Int32
    public init(adopting raw: Int32) { self.raw = raw }
    deinit { close(raw) }
}

/// Any D-Bus value, copied out of the message: Sendable, so it may leave the bus's thread.
public indirect enum DBusValue: Sendable {
    case bool(Bool)
    case byte(UInt8)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(ObjectPath)
    case signature(String)
    case descriptor(OwnedDescriptor)
    /// "ay", copied in one go. An array of bytes always arrives as this.
    case bytes([UInt8])
    /// Any other array.
    case array(element: String, [DBusValue])
    /// "{sv}", "{oa{sa{sv}}}", …; the pairs in the order of the message.
    case dict(signature: String, [(DBusValue, DBusValue)])
    case structure([DBusValue])
    case variant(DBusValue)

    /// As the specification writes it: "a{sv}".
    public var signature: String {
        switch self {
        case .bool: "b"
        case .byte: "y"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .bytes: "ay"
        case .array(let element, _): "a" + element
        case .dict(let entry, _): "a" + entry
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .variant: "v"
        }
    }

    /// `a{sv}` from a Swift dictionary, in the order of the keys.
    public static func options(_ options: [String: DBusValue]) -> DBusValue {
        let pairs = options.sorted { $0.key < $1.key }.map { (DBusValue.string($0.key), DBusValue.variant($0.value)) }
        return .dict(signature: "{sv}", pairs)
    }

    /// `as` from Swift strings.
    public static func strings(_ strings: [String]) -> DBusValue {
        .array(element: "s", strings.map { .string($0) })
    }
}
