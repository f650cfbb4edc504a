import CDBus
import EventLoop

/// The arguments, all of them: what cannot be read is an error, never left out.
func arguments(of message: OpaquePointer) throws(BusError) -> [DBusValue] {
    var iterator = DBusMessageIter()
    return dbus_message_iter_init(message, &iterator) == 0 ? [] : try readAll(&iterator)
}

private func readAll(_ iterator: inout DBusMessageIter) throws(BusError) -> [DBusValue] {
    var values: [DBusValue] = []
    while !isAtEnd(&iterator) {
        values.append(try read(&iterator))
        dbus_message_iter_next(&iterator)
    }
    return values
}

private func read(_ iterator: inout DBusMessageIter) throws(BusError) -> DBusValue {
    let type = dbus_message_iter_get_arg_type(&iterator)
    switch UInt8(truncatingIfNeeded: type) {
    case UInt8(ascii: "b"): return .bool(basic(dbus_bool_t(0), &iterator) != 0)
    case UInt8(ascii: "y"): return .byte(basic(0, &iterator))
    case UInt8(ascii: "n"): return .int16(basic(0, &iterator))
    case UInt8(ascii: "q"): return .uint16(basic(0, &iterator))
    case UInt8(ascii: "i"): return .int32(basic(0, &iterator))
    case UInt8(ascii: "u"): return .uint32(basic(0, &iterator))
    case UInt8(ascii: "x"): return .int64(basic(0, &iterator))
    case UInt8(ascii: "t"): return .uint64(basic(0, &iterator))
    case UInt8(ascii: "d"): return .double(basic(0, &iterator))
    case UInt8(ascii: "s"): return .string(text(&iterator))
    case UInt8(ascii: "o"): return .objectPath(ObjectPath(checked: text(&iterator)))
    case UInt8(ascii: "g"): return .signature(text(&iterator))
    case UInt8(ascii: "h"): return .descriptor(try descriptor(&iterator))
    case UInt8(ascii: "v"):
        var content = inside(&iterator)
        return .variant(try read(&content))
    case UInt8(ascii: "r"):
        var fields = inside(&iterator)
        return .structure(try readAll(&fields))
    case UInt8(ascii: "a"):
        var elements = inside(&iterator)
        switch UInt8(truncatingIfNeeded: dbus_message_iter_get_element_type(&iterator)) {
        case UInt8(ascii: "y"): return .bytes(bytes(&elements))
        case UInt8(ascii: "e"): return .dict(signature: signature(&elements), try entries(&elements))
        default: return .array(element: signature(&elements), try readAll(&elements))
        }
    default:
        throw BusError(name: DBUS_ERROR_INCONSISTENT_MESSAGE, message: "a value of unknown type \(type)")
    }
}

private func entries(_ iterator: inout DBusMessageIter) throws(BusError) -> [(DBusValue, DBusValue)] {
    var pairs: [(DBusValue, DBusValue)] = []
    while !isAtEnd(&iterator) {
        var entry = inside(&iterator)
        let key = try read(&entry)
        dbus_message_iter_next(&entry)
        pairs.append((key, try read(&entry)))
        dbus_message_iter_next(&iterator)
    }
    return pairs
}

private func isAtEnd(_ iterator: inout DBusMessageIter) -> Bool {
    dbus_message_iter_get_arg_type(&iterator) == 0  // DBUS_TYPE_INVALID
}

private func inside(_ iterator: inout DBusMessageIter) -> DBusMessageIter {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    return inner
}

private func basic<Value: BitwiseCopyable>(_ zero: Value, _ iterator: inout DBusMessageIter) -> Value {
    var value = zero
    dbus_message_iter_get_basic(&iterator, &value)
    return value
}

private func text(_ iterator: inout DBusMessageIter) -> String {
    var text: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &text)
    return string(text)  // borrowed from the message: copied now
}

private func bytes(_ iterator: inout DBusMessageIter) -> [UInt8] {
    var start: UnsafePointer<UInt8>?
    var count: Int32 = 0
    dbus_message_iter_get_fixed_array(&iterator, &start, &count)
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
}

/// libdbus hands out a duplicate of its own, closed on exec, that is ours from then on.
private func descriptor(_ iterator: inout DBusMessageIter) throws(BusError) -> OwnedDescriptor {
    let raw = basic(Int32(-1), &iterator)
    guard raw >= 0 else {
        throw BusError(name: DBUS_ERROR_LIMITS_EXCEEDED, message: "a descriptor that arrived: \(Errno.last)")
    }
    return OwnedDescriptor(adopting: raw)
}

private func signature(_ iterator: inout DBusMessageIter) -> String {
    guard let text = dbus_message_iter_get_signature(&iterator) else { return "" }
    defer { dbus_free(text) }
    return String(cString: text)
}
