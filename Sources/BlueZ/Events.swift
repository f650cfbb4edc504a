public import DBus

/// Whether there is a `bluetoothd` to talk to.
public enum Presence: Hashable, Sendable {
    /// The message bus cannot be reached, and why.
    case noBus(String)
    /// The bus or its policy keeps us from talking to `org.bluez`; the text is the bus's own.
    case notAllowed(String)
    /// Nobody owns `org.bluez`, or its owner does not say what objects it has: bluetoothd is not running, or not well.
    case absent
    /// bluetoothd is there and its objects have been read. There may still be no adapter.
    case present
}

/// What happened to BlueZ, an adapter or any device.
public enum BlueZEvent: Hashable, Sendable {
    case presence(Presence)
    /// It appeared or changed.
    case adapter(Adapter)
    case adapterRemoved(ObjectPath)
    /// It appeared, or it was heard: signal strength or name came in.
    case device(Device)
}

/// What happened to the device with one address, on any adapter.
public enum DeviceEvent: Hashable, Sendable {
    /// It appeared, or something other than its signal strength changed.
    case changed(Device)
    /// It was heard: signal strength or name came in, perhaps with the same value.
    case advertised(Device)
    /// The object at this path is gone, and so are its characteristics.
    case vanished(ObjectPath)
    /// The characteristics of the device at this path are others now.
    case characteristicsChanged(ObjectPath)
    /// A value arrived, perhaps the same as before.
    case notified(characteristic: ObjectPath, value: [UInt8])
}

/// How a value is written.
public enum WriteType: String, Hashable, Sendable {
    /// Acknowledged by the peer; BlueZ refuses a second one while one is open.
    case request
    /// Queued by BlueZ and not acknowledged.
    case command
}
