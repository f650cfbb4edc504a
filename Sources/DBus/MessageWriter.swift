import CDBus

/// The `DBUS_TYPE_*` macros are `((int) 's')` and are not imported; the type codes are ASCII.
private func code(_ c: Unicode.Scalar) -> Int32 { Int32(UInt8(ascii: c)) }

func append(_ value: DBusValue, to it: inout DBusMessageIter) {
    func basic<T: BitwiseCopyable>(_ c: Unicode.Scalar, _ v: T) {
        var v = v
        precondition(dbus_message_iter_append_basic(&it, code(c), &v) != 0)
    }
    func text(_ c: Unicode.Scalar, _ s: String) {
        s.withCString { p in basic(c, p) }  // libdbus takes `const char **` and copies
    }
    func container(_ c: Unicode.Scalar, _ signature: String?, _ body: (inout DBusMessageIter) -> Void) {
        var sub = DBusMessageIter()
        precondition(dbus_message_iter_open_container(&it, code(c), signature, &sub) != 0)
        body(&sub)
        precondition(dbus_message_iter_close_container(&it, &sub) != 0)
    }
    switch value {
    case .bool(let v): basic("b", dbus_bool_t(v ? 1 : 0))  // 32 bits wide, not 1 byte
    case .byte(let v): basic("y", v)
    case .int16(let v): basic("n", v)
    case .uint16(let v): basic("q", v)
    case .int32(let v): basic("i", v)
    case .uint32(let v): basic("u", v)
    case .int64(let v): basic("x", v)
    case .uint64(let v): basic("t", v)
    case .double(let v): basic("d", v)
    case .string(let v): text("s", v)
    case .objectPath(let v): text("o", v.text)
    case .signature(let v): text("g", v)
    case .descriptor(let v): basic("h", v.raw)
    case .bytes(let v):
        container("a", "y") { sub in
            v.withUnsafeBufferPointer { buffer in
                guard var base = buffer.baseAddress else { return }
                precondition(dbus_message_iter_append_fixed_array(&sub, code("y"), &base, Int32(buffer.count)) != 0)
            }
        }
    case .array(let element, let items):
        container("a", element) { sub in for item in items { append(item, to: &sub) } }
    case .dict(let entry, let pairs):
        container("a", entry) { sub in
            for (k, v) in pairs {
                var e = DBusMessageIter()
                precondition(dbus_message_iter_open_container(&sub, code("e"), nil, &e) != 0)
                append(k, to: &e)
                append(v, to: &e)
                precondition(dbus_message_iter_close_container(&sub, &e) != 0)
            }
        }
    case .structure(let fields):
        container("r", nil) { sub in for f in fields { append(f, to: &sub) } }
    case .variant(let inner):
        container("v", inner.signature) { sub in append(inner, to: &sub) }
    }
}
