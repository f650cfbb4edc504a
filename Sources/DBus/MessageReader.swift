import CDBus

func arguments(of message: OpaquePointer) -> [DBusValue] {
    var it = DBusMessageIter()
    return dbus_message_iter_init(message, &it) == 0 ? [] : readAll(&it)
}

private func readAll(_ it: inout DBusMessageIter) -> [DBusValue] {
    var out: [DBusValue] = []
    while let v = readOne(&it) {
        out.append(v)
        dbus_message_iter_next(&it)
    }
    return out
}

private func readOne(_ it: inout DBusMessageIter) -> DBusValue? {
    func basic<T: BitwiseCopyable>(_ zero: T) -> T {
        var v = zero
        dbus_message_iter_get_basic(&it, &v)
        return v
    }
    func text() -> String {
        var p: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&it, &p)
        return p.map { String(cString: $0) } ?? ""  // borrowed from the message: copy now
    }
    func sub() -> DBusMessageIter {
        var s = DBusMessageIter()
        dbus_message_iter_recurse(&it, &s)
        return s
    }
    switch UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&it)) {
    case UInt8(ascii: "b"): return .bool(basic(dbus_bool_t(0)) != 0)
    case UInt8(ascii: "y"): return .byte(basic(0))
    case UInt8(ascii: "n"): return .int16(basic(0))
    case UInt8(ascii: "q"): return .uint16(basic(0))
    case UInt8(ascii: "i"): return .int32(basic(0))
    case UInt8(ascii: "u"): return .uint32(basic(0))
    case UInt8(ascii: "x"): return .int64(basic(0))
    case UInt8(ascii: "t"): return .uint64(basic(0))
    case UInt8(ascii: "d"): return .double(basic(0))
    case UInt8(ascii: "s"): return .string(text())
    case UInt8(ascii: "o"): return .objectPath(ObjectPath(checked: text()))
    case UInt8(ascii: "g"): return .signature(text())
    case UInt8(ascii: "h"): return .descriptor(OwnedDescriptor(adopting: basic(Int32(-1))))  // already dup()ed for us
    case UInt8(ascii: "v"):
        var s = sub()
        return readOne(&s).map { .variant($0) }
    case UInt8(ascii: "r"):
        var s = sub()
        return .structure(readAll(&s))
    case UInt8(ascii: "a"):
        var s = sub()
        switch UInt8(truncatingIfNeeded: dbus_message_iter_get_element_type(&it)) {
        case UInt8(ascii: "y"):
            var p: UnsafePointer<UInt8>?
            var n: Int32 = 0
            dbus_message_iter_get_fixed_array(&s, &p, &n)
            return .bytes(Array(UnsafeBufferPointer(start: p, count: Int(n))))
        case UInt8(ascii: "e"):
            let signature = elementSignature(&s)
            var pairs: [(DBusValue, DBusValue)] = []
            while dbus_message_iter_get_arg_type(&s) != 0 /* DBUS_TYPE_INVALID */ {
                var e = DBusMessageIter()
                dbus_message_iter_recurse(&s, &e)
                guard let k = readOne(&e), dbus_message_iter_next(&e) != 0, let v = readOne(&e) else { return nil }
                pairs.append((k, v))
                dbus_message_iter_next(&s)
            }
            return .dict(signature: signature, pairs)
        default:
            let signature = elementSignature(&s)
            return .array(element: signature, readAll(&s))
        }
    default: return nil  // DBUS_TYPE_INVALID: past the end
    }
}

private func elementSignature(_ it: inout DBusMessageIter) -> String {
    guard let p = dbus_message_iter_get_signature(&it) else { return "" }
    defer { dbus_free(p) }
    return String(cString: p)
}
