import DBus

/// One adapter: its power, and who discovers on it.
struct VirtualAdapter: Sendable {
    var description: AdapterDescription
    var number: Int
    /// Plugged in, and its object is on the bus.
    var present = false
    var powered = false
    /// Powered when bluetoothd was killed: it finds it so again.
    var leftPowered = false
    /// The value of a `Set Powered` that is under way.
    var powering: Bool?
    /// It answers no command any more.
    var hung = false
    var alias: String
    var switches: [String: Bool] = ["Discoverable": false, "Pairable": true]

    /// By the client's unique name.
    var filters: [String: DiscoveryFilter] = [:]
    var discoverers: Set<String> = []
    var discovering = false
    var starting: PendingCall?
    /// The strips that were reported in this scan.
    var seen: Set<Int> = []
    var scan: VirtualBlueZ.Alarm?
    /// Counts scans, so that what was meant for one does not happen in the next.
    var discovery = 0

    init(_ description: AdapterDescription) {
        self.description = description
        number = description.number
        alias = description.alias
    }

    var name: String { "hci\(number)" }
    var path: ObjectPath { ("/org/bluez" as ObjectPath).child(name) }

    func hears(_ strip: StripDescription) -> Bool { strip.heardBy?.contains(number) ?? true }

    mutating func endDiscovery() {
        discovery += 1
        discoverers = []
        filters = [:]
        starting = nil
        discovering = false
        seen = []
    }

    mutating func stopServing() {
        endDiscovery()
        scan = nil
        powering = nil
        present = false
        powered = false
    }

    var object: ObjectDescription {
        ObjectDescription(
            path,
            [
                (.adapter, properties), (.gattManager, [:]), (.media, [:]), (.advertisingManager, [:]),
            ])
    }

    var properties: Properties {
        [
            "Address": .string(description.address), "AddressType": .string("public"),
            "Name": .string(description.alias), "Alias": .string(alias), "Class": .uint32(powered ? 0x00_010C : 0),
            "Powered": .bool(powered), "Discoverable": .bool(switches["Discoverable"] ?? false),
            "DiscoverableTimeout": .uint32(180), "Pairable": .bool(switches["Pairable"] ?? true),
            "PairableTimeout": .uint32(0), "Discovering": .bool(discovering),
            "UUIDs": .strings([longUUID(0x1800), longUUID(0x1801)]), "Modalias": .string("usb:v1D6Bp0246d0542"),
            "Roles": .strings(["central", "peripheral"]),
        ]
    }
}

/// What a client wants to hear of.
struct DiscoveryFilter: Sendable {
    var transport = "auto"
    var uuids: Set<String> = []
    var pattern = ""
    var rssi: Int16?

    init() {}

    /// `nil` if BlueZ would refuse it.
    init?(_ options: DBusValue?) {
        guard case .dict(_, let pairs)? = options else { return nil }
        for case (.string(let key), .variant(let value)) in pairs {
            switch (key, value) {
            case ("Transport", .string(let transport)) where ["auto", "le", "bredr"].contains(transport):
                self.transport = transport
            case ("UUIDs", .array(_, let items)):
                uuids = Set(items.compactMap { if case .string(let uuid) = $0 { Self.long(uuid) } else { nil } })
            case ("Pattern", .string(let pattern)): self.pattern = pattern
            case ("RSSI", .int16(let rssi)): self.rssi = rssi
            case ("DuplicateData", .bool), ("Discoverable", .bool), ("Pathloss", .uint16): break
            default: return nil
            }
        }
    }

    func passes(_ strip: StripDescription) -> Bool {
        guard transport != "bredr" else { return false }
        if !uuids.isEmpty, uuids.isDisjoint(with: strip.uuids.map(longUUID)) { return false }
        if !pattern.isEmpty {
            guard strip.address.hasPrefix(pattern) || strip.name?.hasPrefix(pattern) == true else { return false }
        }
        return rssi.map { strip.rssi >= $0 } ?? true
    }

    private static func long(_ uuid: String) -> String {
        UInt16(uuid, radix: 16).map(longUUID) ?? uuid.lowercased()
    }
}
