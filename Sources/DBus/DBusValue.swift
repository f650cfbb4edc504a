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
    case bytes([UInt8])  // "ay", copied in one go
    case array(element: String, [DBusValue])  // any other array
    case dict(signature: String, [(DBusValue, DBusValue)])  // "{sv}", "{oa{sa{sv}}}", …
    case structure([DBusValue])
    case variant(DBusValue)

    /// Its type, as the D-Bus specification spells it.
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

    /// `a{sv}` from a Swift dictionary.
    public static func options(_ o: [String: DBusValue]) -> DBusValue {
        .dict(signature: "{sv}", o.map { (.string($0.key), .variant($0.value)) })
    }
}
