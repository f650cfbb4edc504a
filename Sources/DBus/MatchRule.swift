import CDBus

/// Which signals a subscription receives; `nil` matches anything.
public struct MatchRule: Sendable, Hashable {
    /// A well-known or unique name. A well-known name covers each of its owners in turn.
    public var sender: String?
    public var interface: String?
    public var member: String?
    /// This object alone.
    public var path: ObjectPath?
    /// This object and all below it. A rule has a path or a namespace, not both.
    public var pathNamespace: ObjectPath?
    /// The first argument, a string.
    public var firstArgument: String?

    public init(
        sender: String? = nil, interface: String? = nil, member: String? = nil, path: ObjectPath? = nil,
        pathNamespace: ObjectPath? = nil, firstArgument: String? = nil
    ) {
        self.sender = sender
        self.interface = interface
        self.member = member
        self.path = path
        self.pathNamespace = pathNamespace
        self.firstArgument = firstArgument
    }
}

extension MatchRule {
    /// The changes of a name's owner.
    static func ownership(of name: String) -> MatchRule {
        MatchRule(
            sender: DBUS_SERVICE_DBUS, interface: DBUS_INTERFACE_DBUS, member: "NameOwnerChanged", firstArgument: name)
    }

    /// The sender, if it is a name that has an owner. The bus itself signs with its well-known name.
    var wellKnownSender: String? {
        guard let sender, !sender.hasPrefix(":"), sender != DBUS_SERVICE_DBUS else { return nil }
        return sender
    }

    func check() throws(BusError) {
        try check(sender, "bus name", dbus_validate_bus_name)
        try check(interface, "interface name", dbus_validate_interface)
        try check(member, "member name", dbus_validate_member)
        try check(firstArgument, "argument of a match rule") { _, _ in 1 }
        guard path == nil || pathNamespace == nil else {
            throw .invalidArguments("a match rule has a path and a path namespace")
        }
    }

    private func check(
        _ text: String?, _ what: String,
        _ validate: (UnsafePointer<CChar>?, UnsafeMutablePointer<DBusError>?) -> dbus_bool_t
    ) throws(BusError) {
        guard let text else { return }
        guard isWellFormed(text, validate), !text.utf8.contains(UInt8(ascii: "'")),
            !text.utf8.contains(UInt8(ascii: "\\"))
        else { throw .invalidArguments("malformed \(what) \(text.prefix(300).debugDescription)") }
    }

    /// As `AddMatch` takes it (D-Bus specification, "Match Rules").
    var text: String {
        var rule = "type='signal'"
        if let sender { rule += ",sender='\(sender)'" }
        if let interface { rule += ",interface='\(interface)'" }
        if let member { rule += ",member='\(member)'" }
        if let path { rule += ",path='\(path)'" }
        if let pathNamespace { rule += ",path_namespace='\(pathNamespace)'" }
        if let firstArgument { rule += ",arg0='\(firstArgument)'" }
        return rule
    }

    func coversAllButSender(_ signal: Signal) -> Bool {
        if let interface, interface != signal.interface { return false }
        if let member, member != signal.member { return false }
        if let path, path != signal.path { return false }
        if let pathNamespace, !pathNamespace.contains(signal.path) { return false }
        if let firstArgument {
            guard case .string(firstArgument)? = signal.arguments.first else { return false }
        }
        return true
    }
}
