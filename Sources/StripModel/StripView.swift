/// A strip as the product shows it. Every member is always there, `null` where it is not known.
public struct StripView: Hashable, Sendable {
    public var id: BluetoothAddress
    public var alias: Alias?
    /// As advertised: chosen by whoever owns the device, so not safe to print as it is.
    public var name: String?
    public var model: String?
    /// `nil` if it was never tried.
    public var available: Bool?
    public var link: LinkPhase
    /// Why the last attempt failed.
    public var cause: FailureCause?
    public var rssi: Int?
    public var adapter: String?
    /// A change is on its way.
    public var pending: Bool
    /// It is meant where no strip is named.
    public var isDefault: Bool
    public var on: Bool?
    public var color: Color?
    public var brightness: Percent?
    public var white: Percent?
    public var effect: String?
    public var speed: Percent?
    public var certainty: StripCertainty

    public init(
        id: BluetoothAddress, alias: Alias? = nil, name: String? = nil, model: String? = nil, available: Bool? = nil,
        link: LinkPhase = .idle, cause: FailureCause? = nil, rssi: Int? = nil, adapter: String? = nil,
        pending: Bool = false,
        isDefault: Bool = false, on: Bool? = nil, color: Color? = nil, brightness: Percent? = nil,
        white: Percent? = nil,
        effect: String? = nil, speed: Percent? = nil, certainty: StripCertainty = StripCertainty()
    ) {
        self.id = id
        self.alias = alias
        self.name = name
        self.model = model
        self.available = available
        self.link = link
        self.cause = cause
        self.rssi = rssi
        self.adapter = adapter
        self.pending = pending
        self.isDefault = isDefault
        self.on = on
        self.color = color
        self.brightness = brightness
        self.white = white
        self.effect = effect
        self.speed = speed
        self.certainty = certainty
    }
}

/// How well a strip's two groups of values are known.
public struct StripCertainty: Codable, Hashable, Sendable {
    public var power: Knowledge
    /// Colour, brightness, white, effect and speed.
    public var light: Knowledge

    public init(power: Knowledge = .none, light: Knowledge = .none) {
        self.power = power
        self.light = light
    }
}

extension StripView: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, alias, name, model, available, link, cause, rssi, adapter, pending
        case isDefault = "default"
        case on, color, brightness, white, effect, speed, certainty
    }

    /// Not synthesized, since that would leave out what is `nil`.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(alias, forKey: .alias)
        try members.encode(name, forKey: .name)
        try members.encode(model, forKey: .model)
        try members.encode(available, forKey: .available)
        try members.encode(link, forKey: .link)
        try members.encode(cause, forKey: .cause)
        try members.encode(rssi, forKey: .rssi)
        try members.encode(adapter, forKey: .adapter)
        try members.encode(pending, forKey: .pending)
        try members.encode(isDefault, forKey: .isDefault)
        try members.encode(on, forKey: .on)
        try members.encode(color, forKey: .color)
        try members.encode(brightness, forKey: .brightness)
        try members.encode(white, forKey: .white)
        try members.encode(effect, forKey: .effect)
        try members.encode(speed, forKey: .speed)
        try members.encode(certainty, forKey: .certainty)
    }
}
