/// Dictionaries are equal whatever the order of their pairs (the values of equal keys in order); a descriptor is equal to
/// itself.
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
            one == other && pairs.count == others.count && values(by: pairs) == values(by: others)
        case (.structure(let one), .structure(let other)): one == other
        case (.variant(let one), .variant(let other)): one == other
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
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
        // Not the pairs: in a hash that takes no order into account each would be hashed twice, in dictionaries of
        // dictionaries twice at every level.
        case .dict(let entry, let pairs):
            hasher.combine(entry)
            hasher.combine(pairs.count)
        case .variant(let inner): hasher.combine(inner)
        }
    }

    private static func values(by pairs: [(DBusValue, DBusValue)]) -> [DBusValue: [DBusValue]] {
        Dictionary(pairs.map { ($0, [$1]) }, uniquingKeysWith: +)
    }
}
