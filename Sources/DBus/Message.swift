/// A signal as it arrived.
public struct Signal: Sendable {
    /// The sender's unique name, as in `:1.5`.
    public var sender: String
    public var path: ObjectPath
    public var interface: String
    public var member: String
    public var arguments: [DBusValue]

    public init(
        sender: String = "", path: ObjectPath, interface: String, member: String, arguments: [DBusValue] = []
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

/// A method call: what we ask of others, and what others ask of us.
public struct MethodCall: Sendable {
    /// Whom to call; empty in a call that arrived.
    public var destination: String
    /// Who called; empty in a call that we make.
    public var sender: String
    public var path: ObjectPath
    public var interface: String
    public var member: String
    public var arguments: [DBusValue]

    public init(
        to destination: String = "", from sender: String = "", path: ObjectPath, interface: String, member: String,
        arguments: [DBusValue] = []
    ) {
        self.destination = destination
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}
