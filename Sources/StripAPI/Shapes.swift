// The JSON bodies of the API that are neither a strip, a change nor its outcome.

public import StripModel
import Triones

/// Several strips, or all.
public struct StripList: Codable, Hashable, Sendable {
    public var strips: [StripView]
    public init(strips: [StripView]) { self.strips = strips }
}

/// What was heard.
public struct ScanAnswer: Codable, Hashable, Sendable {
    /// Strongest signal first.
    public var found: [FoundStrip]
    public init(found: [FoundStrip]) { self.found = found }
}

/// One device that was heard.
public struct FoundStrip: Codable, Hashable, Sendable {
    public var address: BluetoothAddress
    /// As it came over the air.
    public var name: String?
    /// Signal strength in dBm; `nil` if it is not known.
    public var rssi: Int?
    /// As in `hci0`.
    public var adapter: String
    /// How sure the name makes us that this is a strip that we can drive.
    public var verdict: NameVerdict
    /// It is adopted already.
    public var known: Bool
    public var alias: Alias?

    public init(
        address: BluetoothAddress, name: String?, rssi: Int?, adapter: String, verdict: NameVerdict, known: Bool,
        alias: Alias? = nil
    ) {
        (self.address, self.name, self.rssi, self.adapter) = (address, name, rssi, adapter)
        (self.verdict, self.known, self.alias) = (verdict, known, alias)
    }

    /// What is not known is null, not missing.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(address, forKey: .address)
        try members.encode(name, forKey: .name)
        try members.encode(rssi, forKey: .rssi)
        try members.encode(adapter, forKey: .adapter)
        try members.encode(verdict, forKey: .verdict)
        try members.encode(known, forKey: .known)
        try members.encode(alias, forKey: .alias)
    }
}

/// The host's adapters.
public struct AdapterList: Codable, Hashable, Sendable {
    public var adapters: [AdapterView]
    public init(adapters: [AdapterView]) { self.adapters = adapters }
}

/// The effects that there are.
public struct EffectList: Codable, Hashable, Sendable {
    public var effects: [Row]

    /// One effect.
    public struct Row: Codable, Hashable, Sendable {
        public var name: String
        /// The byte that starts it.
        public var code: Int
        public var description: String
    }

    /// All that are built into the strips.
    public static let all = EffectList(
        effects: Effect.all.map { Row(name: $0.name, code: Int($0.code.rawValue), description: $0.summary) })
}

/// How the daemon is.
public struct Health: Codable, Hashable, Sendable {
    public enum Status: String, Codable, Sendable { case ok, degraded }
    public enum Bluetooth: String, Codable, Sendable {
        case present, absent
        case noBus = "no-bus"
        case notAllowed = "not-allowed"
    }

    /// `degraded` if there is a problem.
    public var status: Status
    public var version: String
    public var bluetooth: Bluetooth
    /// How many there are, in use or not.
    public var adapters: Int
    /// How many are known.
    public var strips: Int
    /// One sentence each, empty if all is well.
    public var problems: [String]
    /// `ok`, or why the state cannot be kept.
    public var stateFile: String

    enum CodingKeys: String, CodingKey {
        case status, version, bluetooth, adapters, strips, problems
        case stateFile = "state_file"
    }

    public init(
        status: Status, version: String, bluetooth: Bluetooth, adapters: Int, strips: Int, problems: [String],
        stateFile: String
    ) {
        (self.status, self.version, self.bluetooth, self.adapters) = (status, version, bluetooth, adapters)
        (self.strips, self.problems, self.stateFile) = (strips, problems, stateFile)
    }
}

/// The data of a `removed` event.
public struct Removed: Codable, Hashable, Sendable {
    public var id: BluetoothAddress
    public init(id: BluetoothAddress) { self.id = id }
}

/// The names in the `event:` field of the event stream.
public enum EventName: String, CaseIterable, Sendable { case snapshot, strip, removed, adapter }

/// Of stripd and stripctl alike.
public enum Version { public static let current = "0.1.0" }
