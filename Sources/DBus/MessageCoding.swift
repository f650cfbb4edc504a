import CDBus

/// A received call, kept until it is answered. Only the bus that received it uses it, on the loop's thread.
final class MessageRef: @unchecked Sendable {
    private let raw: OpaquePointer
    init(_ raw: OpaquePointer) {
        self.raw = raw
        dbus_message_ref(raw)
    }
    deinit { dbus_message_unref(raw) }  // libdbus counts references atomically: any thread may drop the last one

    /// `nil` if the caller wants none.
    func reply(_ result: Result<[DBusValue], BusError>) -> OpaquePointer? {
        guard dbus_message_get_no_reply(raw) == 0 else { return nil }
        switch result {
        case .success(let values):
            let message = dbus_message_new_method_return(raw)
            if let message { append(values, to: message) }
            return message
        case .failure(let error):
            let valid = dbus_validate_error_name(error.name, nil) != 0
            let text = error.message.replacing("\0", with: "")
            return dbus_message_new_error(raw, valid ? error.name : DBUS_ERROR_FAILED, text)
        }
    }
}

extension Signal {
    init(_ message: OpaquePointer) {
        self.init(
            sender: string(dbus_message_get_sender(message)),
            path: ObjectPath(checked: string(dbus_message_get_path(message))),
            interface: string(dbus_message_get_interface(message)),
            member: string(dbus_message_get_member(message)), arguments: DBus.arguments(of: message))
    }

    func check() throws(BusError) {
        try checkNames(interface: interface, member: member)
        for argument in arguments { try argument.check() }
    }

    func message() -> OpaquePointer? {
        let message = dbus_message_new_signal(path.text, interface, member)
        if let message { append(arguments, to: message) }
        return message
    }
}

extension MethodCall {
    init(_ message: OpaquePointer) {
        self.init(
            from: string(dbus_message_get_sender(message)),
            path: ObjectPath(checked: string(dbus_message_get_path(message))),
            interface: string(dbus_message_get_interface(message)),
            member: string(dbus_message_get_member(message)), arguments: DBus.arguments(of: message))
    }

    func check() throws(BusError) {
        guard !destination.utf8.contains(0), dbus_validate_bus_name(destination, nil) != 0 else {
            throw .invalidArguments("malformed bus name '\(destination)'")
        }
        try checkNames(interface: interface, member: member)
        for argument in arguments { try argument.check() }
    }

    func message() -> OpaquePointer? {
        let message = dbus_message_new_method_call(destination, path.text, interface, member)
        if let message { append(arguments, to: message) }
        return message
    }
}

extension MatchRule {
    func check() throws(BusError) {
        for text in [sender, interface, member, firstArgument] {
            if let text, text.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\\") }) {
                throw .invalidArguments("'\(text)' cannot be part of a match rule")
            }
        }
    }

    /// As `AddMatch` takes it (D-Bus specification, "Match Rules").
    var text: String {
        var rule = "type='signal'"
        if let sender { rule += ",sender='\(sender)'" }
        if let interface { rule += ",interface='\(interface)'" }
        if let member { rule += ",member='\(member)'" }
        if let pathNamespace { rule += ",path_namespace='\(pathNamespace)'" }
        if let firstArgument { rule += ",arg0='\(firstArgument)'" }
        return rule
    }

    /// Whether the bus would send `signal` for this rule. A well-known sender is left to the bus: signals carry unique
    /// names only.
    func covers(_ signal: Signal) -> Bool {
        if let sender, sender.hasPrefix(":"), sender != signal.sender { return false }
        if let interface, interface != signal.interface { return false }
        if let member, member != signal.member { return false }
        if let pathNamespace, !pathNamespace.contains(signal.path) { return false }
        if let firstArgument {
            guard case .string(firstArgument)? = signal.arguments.first else { return false }
        }
        return true
    }
}

private func append(_ values: [DBusValue], to message: OpaquePointer) {
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    for value in values { append(value, to: &iterator) }
}

private func checkNames(interface: String, member: String) throws(BusError) {
    guard !interface.utf8.contains(0), dbus_validate_interface(interface, nil) != 0 else {
        throw .invalidArguments("malformed interface name '\(interface)'")
    }
    guard !member.utf8.contains(0), dbus_validate_member(member, nil) != 0 else {
        throw .invalidArguments("malformed member name '\(member)'")
    }
}
