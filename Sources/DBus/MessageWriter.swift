import CDBus

/// Appends one value that `check(body:)` has passed. Throws when libdbus cannot take it all the same, for want of memory
/// or of descriptors; the message is then good for nothing but to be dropped.
func append(_ value: DBusValue, to iterator: inout DBusMessageIter) throws(BusError) {
    switch value {
    case .bool(let value): try basic("b", dbus_bool_t(value ? 1 : 0), &iterator)  // 32 bits wide
    case .byte(let value): try basic("y", value, &iterator)
    case .int16(let value): try basic("n", value, &iterator)
    case .uint16(let value): try basic("q", value, &iterator)
    case .int32(let value): try basic("i", value, &iterator)
    case .uint32(let value): try basic("u", value, &iterator)
    case .int64(let value): try basic("x", value, &iterator)
    case .uint64(let value): try basic("t", value, &iterator)
    case .double(let value): try basic("d", value, &iterator)
    case .string(let text): try basic("s", text, &iterator)
    case .objectPath(let path): try basic("o", path.text, &iterator)
    case .signature(let text): try basic("g", text, &iterator)
    case .descriptor(let descriptor): try basic("h", descriptor.raw, &iterator)
    case .bytes(let bytes):
        try container("a", "y", &iterator) { inner throws(BusError) in try append(bytes, to: &inner) }
    case .array(let element, let items):
        try container("a", element, &iterator) { inner throws(BusError) in
            for item in items { try append(item, to: &inner) }
        }
    case .dict(let entry, let pairs):
        try container("a", entry, &iterator) { inner throws(BusError) in
            for (key, value) in pairs {
                try container("e", nil, &inner) { entry throws(BusError) in
                    try append(key, to: &entry)
                    try append(value, to: &entry)
                }
            }
        }
    case .structure(let fields):
        try container("r", nil, &iterator) { inner throws(BusError) in
            for field in fields { try append(field, to: &inner) }
        }
    case .variant(let content):
        try container("v", content.signature, &iterator) { inner throws(BusError) in try append(content, to: &inner) }
    }
}

/// The `DBUS_TYPE_*` macros are `((int) 's')` and are not imported; the type codes are ASCII.
private func code(_ letter: Unicode.Scalar) -> Int32 { Int32(UInt8(ascii: letter)) }

private func basic<Value: BitwiseCopyable>(
    _ type: Unicode.Scalar, _ value: Value, _ iterator: inout DBusMessageIter
) throws(BusError) {
    var value = value
    guard dbus_message_iter_append_basic(&iterator, code(type), &value) != 0 else {
        throw type == "h"
            ? BusError(name: DBUS_ERROR_LIMITS_EXCEEDED, message: "a descriptor is not open") : .outOfMemory
    }
}

private func basic(_ type: Unicode.Scalar, _ text: String, _ iterator: inout DBusMessageIter) throws(BusError) {
    // libdbus takes the address of the pointer, and copies.
    let done = text.withCString { text in
        var text: UnsafePointer<CChar>? = text
        return dbus_message_iter_append_basic(&iterator, code(type), &text)
    }
    if done == 0 { throw .outOfMemory }
}

private func append(_ bytes: [UInt8], to iterator: inout DBusMessageIter) throws(BusError) {
    let done = bytes.withUnsafeBufferPointer { buffer in
        guard var start = buffer.baseAddress else { return dbus_bool_t(1) }
        return dbus_message_iter_append_fixed_array(&iterator, code("y"), &start, Int32(buffer.count))
    }
    if done == 0 { throw .outOfMemory }
}

private func container(
    _ type: Unicode.Scalar, _ signature: String?, _ iterator: inout DBusMessageIter,
    _ body: (inout DBusMessageIter) throws(BusError) -> Void
) throws(BusError) {
    var inner = DBusMessageIter()
    guard dbus_message_iter_open_container(&iterator, code(type), signature, &inner) != 0 else { throw .outOfMemory }
    do throws(BusError) {
        try body(&inner)
    } catch {
        dbus_message_iter_abandon_container(&iterator, &inner)
        throw error
    }
    guard dbus_message_iter_close_container(&iterator, &inner) != 0 else { throw .outOfMemory }
}
