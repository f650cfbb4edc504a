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

/// Dictionaries are equal whatever the order of their pairs; a descriptor is equal to itself.
extension DBusValue: Hashable {
    public static func == (one: DBusValue, other: DBusValue) -> Bool {
        switch (one, other) {
        case (.bool(let one), .bool(let other)): one == other
        case (.byte(let one), .byte(let other)): one == other
        case (.int16(let one), .int16(let other)): one == other
        case (.uint16(let one), .uint16(let other)): one == other
        case (.int32(let one), .int32(let other)): one == other
        case (.uint32(let one), .uint32(let other)): one == other
        case (.int64(let one), .int64(let other)): one == other
        case (.uint64(let one), .uint64(let other)): one == other
        case (.double(let one), .double(let other)): one == other
        case (.string(let one), .string(let other)): one == other
        case (.objectPath(let one), .objectPath(let other)): one == other
        case (.signature(let one), .signature(let other)): one == other
        case (.descriptor(let one), .descriptor(let other)): one === other
        case (.bytes(let one), .bytes(let other)): one == other
        case (.array(let one, let items), .array(let other, let others)): one == other && items == others
        case (.dict(let one, let pairs), .dict(let other, let others)):
            one == other && pairs.count == others.count && Set(pairs.map(Pair.init)) == Set(others.map(Pair.init))
        case (.structure(let one), .structure(let other)): one == other
        case (.variant(let one), .variant(let other)): one == other
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(signature)
        switch self {
        case .bool(let value): hasher.combine(value)
        case .byte(let value): hasher.combine(value)
        case .int16(let value): hasher.combine(value)
        case .uint16(let value): hasher.combine(value)
        case .int32(let value): hasher.combine(value)
        case .uint32(let value): hasher.combine(value)
        case .int64(let value): hasher.combine(value)
        case .uint64(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .string(let text), .signature(let text): hasher.combine(text)
        case .objectPath(let path): hasher.combine(path)
        case .descriptor(let descriptor): hasher.combine(ObjectIdentifier(descriptor))
        case .bytes(let bytes): hasher.combine(bytes)
        case .array(_, let items), .structure(let items): hasher.combine(items)
        case .dict(_, let pairs): hasher.combine(Set(pairs.map(Pair.init)))
        case .variant(let inner): hasher.combine(inner)
        }
    }

    private struct Pair: Hashable {
        let key: DBusValue
        let value: DBusValue
    }
}
