import CDBus

extension DBusValue {
    /// libdbus ends the process on a NUL in a string, a malformed signature, or an element that does not match its
    /// container: refuse them first.
    func check(depth: Int = 0) throws(BusError) {
        guard depth < 32 else { throw .invalidArguments("a value is nested deeper than 32 levels") }
        switch self {
        case .string(let text):
            guard !text.utf8.contains(0) else {
                throw .invalidArguments("a string contains a NUL: \(text.debugDescription)")
            }
        case .signature(let text):
            guard !text.utf8.contains(0), dbus_signature_validate(text, nil) != 0 else {
                throw .invalidArguments("malformed signature '\(text)'")
            }
        case .array(let element, let items):
            guard dbus_signature_validate_single(element, nil) != 0 else {
                throw .invalidArguments("malformed element signature '\(element)'")
            }
            for item in items {
                try item.check(depth: depth + 1)
                guard item.signature == element else {
                    throw .invalidArguments("an array of '\(element)' contains a '\(item.signature)'")
                }
            }
        case .dict(let entry, let pairs):
            guard dbus_signature_validate_single("a" + entry, nil) != 0 else {
                throw .invalidArguments("malformed entry signature '\(entry)'")
            }
            for (key, value) in pairs {
                try key.check(depth: depth + 1)
                try value.check(depth: depth + 1)
                guard "{\(key.signature)\(value.signature)}" == entry else {
                    throw .invalidArguments(
                        "a dictionary of '\(entry)' contains a '{\(key.signature)\(value.signature)}'")
                }
            }
        case .structure(let fields):
            guard !fields.isEmpty else { throw .invalidArguments("a structure has no fields") }
            for field in fields { try field.check(depth: depth + 1) }
        case .variant(let inner): try inner.check(depth: depth + 1)
        case .bool, .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .objectPath, .descriptor, .bytes:
            break
        }
    }
}
