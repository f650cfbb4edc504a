import DBus

/// An `a{sv}` from BlueZ, read without trust: a property that is absent or has another type than documented reads as
/// `nil`.
struct Properties {
    private var values: [String: DBusValue] = [:]

    /// Anything but a dictionary with strings for keys reads as empty.
    init(_ value: DBusValue?) {
        for (key, value) in dictionary(value) { values[key] = unwrapped(value) }
    }

    func string(_ name: String) -> String? {
        if case .string(let text)? = values[name] { text } else { nil }
    }

    func bool(_ name: String) -> Bool? {
        if case .bool(let flag)? = values[name] { flag } else { nil }
    }

    func int16(_ name: String) -> Int? {
        if case .int16(let number)? = values[name] { Int(number) } else { nil }
    }

    func path(_ name: String) -> ObjectPath? {
        if case .objectPath(let path)? = values[name] { path } else { nil }
    }

    func bytes(_ name: String) -> [UInt8]? {
        if case .bytes(let bytes)? = values[name] { bytes } else { nil }
    }

    func strings(_ name: String) -> [String]? { values[name].flatMap(BlueZ.strings) }
}

/// The entries of a dictionary whose keys are strings or object paths, in the order in which they came.
func dictionary(_ value: DBusValue?) -> [(String, DBusValue)] {
    guard case .dict(_, let pairs)? = value.map(unwrapped) else { return [] }
    return pairs.compactMap { key, value in
        switch key {
        case .string(let text): (text, value)
        case .objectPath(let path): (path.text, value)
        default: nil
        }
    }
}

/// `nil` unless it is an array of strings alone.
func strings(_ value: DBusValue) -> [String]? {
    guard case .array(_, let items) = value else { return nil }
    let texts = items.compactMap { if case .string(let text) = $0 { text } else { nil } }
    return texts.count == items.count ? texts : nil
}

private func unwrapped(_ value: DBusValue) -> DBusValue {
    if case .variant(let inner) = value { unwrapped(inner) } else { value }
}
