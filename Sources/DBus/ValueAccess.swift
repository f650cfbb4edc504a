// What a value is in Swift's terms, if it is that. Variants are looked through: a property's value is its content.

extension DBusValue {
    /// The content of a variant, however deep; any other value itself.
    public var unwrapped: DBusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    public var bool: Bool? {
        guard case .bool(let value) = unwrapped else { return nil }
        return value
    }

    /// Any integer that fits.
    public var int: Int? {
        switch unwrapped {
        case .byte(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(value)
        case .uint64(let value): Int(exactly: value)
        default: nil
        }
    }

    /// A string, and nothing that merely looks like one.
    public var string: String? {
        guard case .string(let text) = unwrapped else { return nil }
        return text
    }

    public var objectPath: ObjectPath? {
        guard case .objectPath(let path) = unwrapped else { return nil }
        return path
    }

    public var descriptor: OwnedDescriptor? {
        guard case .descriptor(let descriptor) = unwrapped else { return nil }
        return descriptor
    }

    public var bytes: [UInt8]? {
        guard case .bytes(let bytes) = unwrapped else { return nil }
        return bytes
    }

    /// An array that does not hold bytes.
    public var array: [DBusValue]? {
        guard case .array(_, let items) = unwrapped else { return nil }
        return items
    }

    public var strings: [String]? {
        guard case .array("s", let items) = unwrapped else { return nil }
        return items.compactMap(\.string)
    }

    /// A dictionary with strings for keys, its values out of their variants. The last of equal keys counts.
    public var dictionary: [String: DBusValue]? {
        guard case .dict(let entry, let pairs) = unwrapped, entry.hasPrefix("{s") else { return nil }
        return Dictionary(pairs.compactMap { key, value in key.string.map { ($0, value.unwrapped) } }) { $1 }
    }

    /// A dictionary with object paths for keys, as `GetManagedObjects` returns it.
    public var objects: [ObjectPath: DBusValue]? {
        guard case .dict(let entry, let pairs) = unwrapped, entry.hasPrefix("{o") else { return nil }
        return Dictionary(pairs.compactMap { key, value in key.objectPath.map { ($0, value.unwrapped) } }) { $1 }
    }
}
