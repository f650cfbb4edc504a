import DBus

/// A strip as one adapter's bluetoothd knows it: the object `dev_AA_BB_…` and what hangs below.
struct VirtualDevice: Sendable {
    let path: ObjectPath
    let adapter: Int
    let strip: Int
    var name: String?
    var alias: String
    /// Present while discovery goes on and the strip was heard.
    var rssi: Int16?
    var uuids: [UInt16]
    var trusted = false
    var blocked = false
    var connected = false
    var resolved = false
    /// The GATT objects, once they were exported; they outlive the link.
    var gatt: GATTTable?
    /// The value of the last report.
    var report: [UInt8] = []
    /// Not removed by time.
    var kept = false
    var everConnected = false
    var vanishing: VirtualBlueZ.Alarm?

    /// Grows with each link and each attempt, so that what was meant for one does not happen to the next.
    var epoch = 0
    var attempt: ConnectAttempt?
    var disconnects: [PendingCall] = []
    var disconnecting = false

    /// When the strip has answered the requests that were sent to it: there is one at a time.
    var requestsDone = Duration.zero
    var lastCommand = Duration.zero
    /// A request went unanswered: nothing is sent any more.
    var attDead = false
    var requests: [Int: PendingCall] = [:]
    /// The write request that is under way.
    var writing: Int?
    /// The clients that want notifications.
    var notifySessions: Set<String> = []

    init(path: ObjectPath, adapter: Int, strip: Int, as description: StripDescription) {
        self.path = path
        self.adapter = adapter
        self.strip = strip
        name = description.name
        alias = description.name ?? description.address.replacing(":", with: "-")
        uuids = description.uuids
    }

    func properties(_ strip: StripDescription, adapter: ObjectPath) -> Properties {
        var properties: Properties = [
            "Address": .string(strip.address), "AddressType": .string(strip.addressType.rawValue),
        ]
        if let name { properties.append("Name", .string(name)) }
        properties.append("Alias", .string(alias))
        properties.append("Paired", .bool(false))
        properties.append("Bonded", .bool(false))
        properties.append("Trusted", .bool(trusted))
        properties.append("Blocked", .bool(blocked))
        properties.append("LegacyPairing", .bool(false))
        if let rssi { properties.append("RSSI", .int16(rssi)) }
        properties.append("Connected", .bool(connected))
        properties.append("UUIDs", .strings(uuids.map(longUUID)))
        properties.append("Adapter", .objectPath(adapter))
        properties.append("ServicesResolved", .bool(resolved))
        return properties
    }
}

/// A `Connect` that is under way.
struct ConnectAttempt: Sendable {
    var call: PendingCall
    /// The strip was heard, and the link is being made.
    var reaching = false
    /// It is paged over classic Bluetooth instead, which finds nobody.
    var paging = false
    var expiry: VirtualBlueZ.Alarm?
}

/// What bluetoothd keeps of a device over its own restart.
struct StoredDevice: Sendable {
    struct Key: Hashable, Sendable {
        var adapter: Int
        var strip: Int
    }
    var name: String?
    var alias: String
    var uuids: [UInt16]
    var trusted: Bool
}
