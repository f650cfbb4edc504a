import DBus

/// What left for the clients, in the order in which it left, one line each: to compare with a recording, and to read
/// when a test fails.
///
///     hci0/dev_FF_FF_38_5B_40_65 {Connected: true}
///     Connect: ok
///     + hci0/dev_FF_FF_38_5B_40_65/service000c GattService1
extension VirtualBlueZ {
    public var transcript: [String] { sent.entries }

    /// The lines so far, and those to come, up to the first that ends with `ending`, after those that `mark` stands for.
    public func transcript(from mark: Int = 0, upTo ending: String) async -> [String] {
        let (watcher, stream, sink) = sent.stream()
        defer { sent.forget(watcher) }
        var lines: [String] = []
        var number = sent.dropped
        for await line in stream {
            number += 1
            guard number > mark else { continue }
            lines.append(line)
            if line.hasSuffix(ending) { break }
        }
        sink.finish()
        return lines
    }

    /// Stands for all lines so far.
    public var transcriptMark: Int { sent.count }

    func noteChange(_ path: ObjectPath, _ properties: Properties, invalidated: [String]) {
        var line = "\(short(path)) {\(properties.text)}"
        if !invalidated.isEmpty { line += " invalidated [\(invalidated.joined(separator: ", "))]" }
        sent.append(line)
    }

    func noteAdded(_ object: ObjectDescription) { sent.append("+ " + line(of: object)) }

    func noteRemoved(_ object: ObjectDescription) { sent.append("- " + line(of: object)) }

    func noteAnswer(_ call: MethodCall, _ error: BusError?) {
        sent.append("\(call.member): \(error?.description ?? "ok")")
    }

    private func line(of object: ObjectDescription) -> String {
        let own = object.interfaces.map(\.name.rawValue).filter { $0.hasPrefix("org.bluez.") }
        return ([short(object.path)] + own.map { String($0.dropFirst("org.bluez.".count)) }).joined(separator: " ")
    }

    private func short(_ path: ObjectPath) -> String {
        path.text.hasPrefix("/org/bluez/") ? String(path.text.dropFirst("/org/bluez/".count)) : path.text
    }
}

extension Properties {
    var text: String { pairs.map { "\($0.name): \($0.value.text)" }.joined(separator: ", ") }
}

extension DBusValue {
    fileprivate var text: String {
        switch self {
        case .bool(let value): "\(value)"
        case .byte(let value): "\(value)"
        case .int16(let value): "\(value)"
        case .uint16(let value): "\(value)"
        case .int32(let value): "\(value)"
        case .uint32(let value): "\(value)"
        case .string(let text): text
        case .objectPath(let path): path.text
        case .bytes(let bytes): hex(bytes)
        case .array(_, let items): "[" + items.map(\.text).joined(separator: ", ") + "]"
        case .variant(let value): value.text
        default: signature
        }
    }
}
