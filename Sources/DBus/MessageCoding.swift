import CDBus

// From our values to libdbus's messages and back.

extension Signal {
    init(_ message: OpaquePointer) throws(BusError) {
        self.init(
            sender: string(dbus_message_get_sender(message)),
            path: ObjectPath(checked: string(dbus_message_get_path(message))),
            interface: string(dbus_message_get_interface(message)),
            member: string(dbus_message_get_member(message)), arguments: try DBus.arguments(of: message))
    }

    func check() throws(BusError) {
        try checkTarget(path: path, interface: interface, member: member)
        guard interface != DBUS_INTERFACE_LOCAL else { throw .invalidArguments("'\(interface)' is libdbus's own") }
        try DBus.check(body: arguments)
    }

    func message() throws(BusError) -> OpaquePointer {
        guard let message = dbus_message_new_signal(path.text, interface, member) else { throw .outOfMemory }
        return try filled(message, arguments)
    }
}

extension MethodCall {
    init(_ message: OpaquePointer) throws(BusError) {
        self.init(
            from: string(dbus_message_get_sender(message)),
            path: ObjectPath(checked: string(dbus_message_get_path(message))),
            interface: string(dbus_message_get_interface(message)),
            member: string(dbus_message_get_member(message)), arguments: try DBus.arguments(of: message))
    }

    func check() throws(BusError) {
        guard isWellFormed(destination, dbus_validate_bus_name) else {
            throw .invalidArguments("malformed bus name \(destination.prefix(300).debugDescription)")
        }
        try checkTarget(path: path, interface: interface, member: member)
        try DBus.check(body: arguments)
    }

    func message() throws(BusError) -> OpaquePointer {
        guard let message = dbus_message_new_method_call(destination, path.text, interface, member) else {
            throw .outOfMemory
        }
        return try filled(message, arguments)
    }
}

/// `message`, taken over, with the values appended.
func filled(_ message: OpaquePointer, _ values: [DBusValue]) throws(BusError) -> OpaquePointer {
    do throws(BusError) {
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message, &iterator)
        for value in values { try append(value, to: &iterator) }
        return message
    } catch {
        dbus_message_unref(message)
        throw error
    }
}

private func checkTarget(path: ObjectPath, interface: String, member: String) throws(BusError) {
    guard path.text != DBUS_PATH_LOCAL else { throw .invalidArguments("'\(path)' is libdbus's own") }
    guard path.text.utf8.count <= 1 << 16 else { throw .invalidArguments("an object path is longer than 64 KiB") }
    guard isWellFormed(interface, dbus_validate_interface) else {
        throw .invalidArguments("malformed interface name \(interface.prefix(300).debugDescription)")
    }
    guard isWellFormed(member, dbus_validate_member) else {
        throw .invalidArguments("malformed member name \(member.prefix(300).debugDescription)")
    }
}
