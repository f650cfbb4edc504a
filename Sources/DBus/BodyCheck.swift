import CDBus

// libdbus ends the process when it is handed a malformed name, a NUL in a string, a malformed signature, or an element
// that does not match its container; and a bus hangs up on who sends more than it takes. All of that is refused first.

/// The most that a message of ours may hold: half of what a system bus takes.
let maximumMessageSize = 16 << 20
/// Descriptors in a message of ours: what a bus takes unless it is told otherwise.
let maximumDescriptors = 16
/// Containers in containers. libdbus refuses more than 32 arrays or structures, and 64 together.
let maximumDepth = 32
/// Bytes in a signature (D-Bus specification, "Valid Signatures").
let maximumSignature = 255

/// Whether libdbus's `validate` takes `text`, which reaches it as a C string.
func isWellFormed(
    _ text: String, _ validate: (UnsafePointer<CChar>?, UnsafeMutablePointer<DBusError>?) -> dbus_bool_t
) -> Bool { !text.utf8.contains(0) && validate(text, nil) != 0 }

/// Whether these can be the arguments of one message.
func check(body values: [DBusValue]) throws(BusError) {
    var check = BodyCheck()
    var signature = 0
    for value in values { signature += try check.signature(of: value, depth: 0).utf8.count }
    guard signature <= maximumSignature else { throw .invalidArguments("the arguments have too many types") }
}

private struct BodyCheck {
    private var size = 0
    private var descriptors = 0

    /// The value's signature, which is worth returning: containers compare it with their own.
    mutating func signature(of value: DBusValue, depth: Int) throws(BusError) -> String {
        guard depth < maximumDepth else {
            throw .invalidArguments("a value is nested deeper than \(maximumDepth) levels")
        }
        try add(bytes: 16)  // no fixed-size value or length, with its padding, is larger
        switch value {
        case .string(let text):
            guard !text.utf8.contains(0) else {
                throw .invalidArguments("a string contains a NUL: \(text.prefix(80).debugDescription)")
            }
            try add(bytes: text.utf8.count)
        case .objectPath(let path): try add(bytes: path.text.utf8.count)
        case .signature(let text):
            guard isWellFormed(text, dbus_signature_validate) else {
                throw .invalidArguments("malformed signature \(text.prefix(80).debugDescription)")
            }
            try add(bytes: text.utf8.count)
        case .bytes(let bytes): try add(bytes: bytes.count)
        case .descriptor: try addDescriptor()
        case .array(let element, let items):
            guard isWellFormed(element, dbus_signature_validate_single) else {
                throw .invalidArguments("malformed element signature \(element.prefix(80).debugDescription)")
            }
            for item in items {
                let found = try signature(of: item, depth: depth + 1)
                guard found == element else {
                    throw .invalidArguments("an array of '\(element)' contains a '\(found)'")
                }
            }
        case .dict(let entry, let pairs):
            guard entry.hasPrefix("{"), isWellFormed("a" + entry, dbus_signature_validate_single) else {
                throw .invalidArguments("malformed entry signature \(entry.prefix(80).debugDescription)")
            }
            for (key, value) in pairs {
                try add(bytes: 8)
                let found = try signature(of: key, depth: depth + 1) + signature(of: value, depth: depth + 1)
                guard "{\(found)}" == entry else {
                    throw .invalidArguments("a dictionary of '\(entry)' contains a '{\(found)}'")
                }
            }
        case .structure(let fields):
            guard !fields.isEmpty else { throw .invalidArguments("a structure has no fields") }
            var inner = ""
            for field in fields { inner += try signature(of: field, depth: depth + 1) }
            return try bounded("(\(inner))")
        case .variant(let inner): try add(bytes: try signature(of: inner, depth: depth + 1).utf8.count)
        case .bool, .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double: break
        }
        return try bounded(value.signature)
    }

    private func bounded(_ signature: String) throws(BusError) -> String {
        guard signature.utf8.count <= maximumSignature else {
            throw .invalidArguments("a signature is longer than \(maximumSignature) bytes")
        }
        return signature
    }

    private mutating func add(bytes: Int) throws(BusError) {
        size += bytes
        guard size <= maximumMessageSize else {
            throw BusError(name: DBUS_ERROR_LIMITS_EXCEEDED, message: "a message is larger than 16 MiB")
        }
    }

    private mutating func addDescriptor() throws(BusError) {
        descriptors += 1
        guard descriptors <= maximumDescriptors else {
            throw BusError(
                name: DBUS_ERROR_LIMITS_EXCEEDED, message: "a message has more than \(maximumDescriptors) descriptors")
        }
    }
}
