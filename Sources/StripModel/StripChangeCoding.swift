/// A change as JSON. Everything that is wrong with one ends in an `InvalidValue` that names the member.
extension StripChange: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case on, color, brightness, white, effect, speed
        case keepPower = "keep_power"
        case channel = "white_channel"
        case deadline
    }

    /// Seconds that a deadline may be away.
    static let deadlineLimit = 86400.0

    public init(from decoder: any Decoder) throws {
        let members: KeyedDecodingContainer<AnyKey>
        do {
            members = try decoder.container(keyedBy: AnyKey.self)
        } catch {
            let found = try JSONValue(from: decoder)
            throw InvalidValue(
                text: found.text, problem: "is \(found.kind), not a change",
                accepted: #"an object such as {"on": true}"#)
        }
        for key in members.allKeys.map(\.stringValue).sorted() where CodingKeys(stringValue: key) == nil {
            throw StripChange.unknownMember(key)
        }
        self.init()
        on = try members.bool(.on)
        color = try members.value(.color, "a colour in a string", accepted: Color.accepted)
        brightness = try members.value(.brightness)
        white = try members.value(.white)
        speed = try members.value(.speed)
        let isStop = members.contains(AnyKey("effect")) ? try members.decodeNil(forKey: AnyKey("effect")) : false
        effect = isStop ? .stop : try members.value(.effect).map { .run($0) }
        keepPower = try members.bool(.keepPower) ?? false
        channel = try members.bool(.channel) ?? false
        deadline = try members.deadline()
        try check()
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(on, forKey: .on)
        try members.encodeIfPresent(color, forKey: .color)
        try members.encodeIfPresent(brightness, forKey: .brightness)
        try members.encodeIfPresent(white, forKey: .white)
        switch effect {
        case .run(let effect): try members.encode(effect, forKey: .effect)
        case .stop: try members.encodeNil(forKey: .effect)
        case nil: break
        }
        try members.encodeIfPresent(speed, forKey: .speed)
        if keepPower { try members.encode(true, forKey: .keepPower) }
        if channel { try members.encode(true, forKey: .channel) }
        try members.encodeIfPresent(deadline, forKey: .deadline)
    }

    /// Refuses what no single member can show: a change of nothing, and one that wants two lights at once.
    public func check() throws(InvalidValue) {
        let lights = [(color != nil, "color"), (white != nil, "white"), (effect != nil, "effect")].filter(\.0).map(\.1)
        guard lights.count < 2 else {
            throw InvalidValue(
                text: lights.joined(separator: ", "), problem: "cannot be changed together", accepted: "one of them",
                member: lights[1])
        }
        if speed != nil,
            let light = color != nil ? "color" : white != nil ? "white" : effect == .stop ? "no effect" : nil
        {
            throw InvalidValue(
                text: "speed", problem: "does not go with \(light): only effects have a speed",
                accepted: "speed alone or with effect", member: "speed")
        }
        guard !isEmpty else {
            throw InvalidValue(
                text: "{}", problem: "changes nothing",
                accepted: "at least one of on, color, brightness, white, effect, speed")
        }
    }

    private static func unknownMember(_ key: String) -> InvalidValue {
        let known = CodingKeys.allCases.map(\.stringValue)
        guard key != "transition" else {
            return InvalidValue(
                text: key, problem: "is not available yet", accepted: known.joined(separator: ", "), member: key)
        }
        return InvalidValue(
            text: key, problem: "is not a member of a change", accepted: known.joined(separator: ", "),
            suggestions: suggestions(for: key, among: known), member: key, fault: .unknownMember)
    }
}

/// Each of these answers `nil` where the member is absent.
extension KeyedDecodingContainer<AnyKey> {
    typealias Member = StripChange.CodingKeys

    func found(_ member: Member) throws -> JSONValue? {
        let key = AnyKey(member.stringValue)
        return contains(key) ? try decode(JSONValue.self, forKey: key) : nil
    }

    func bool(_ member: Member) throws -> Bool? {
        let key = AnyKey(member.stringValue)
        guard contains(key) else { return nil }
        if let value = attempt({ try decode(Bool.self, forKey: key) }) { return value }
        throw wrong(try decode(JSONValue.self, forKey: key), member, "a boolean", accepted: "true or false")
    }

    /// A member that is written as a string.
    func value(_ member: Member, _ wanted: String, accepted: String) throws -> Color? {
        switch try found(member) {
        case nil: return nil
        case .string: return try value(member)
        case .some(let found): throw wrong(found, member, wanted, accepted: accepted)
        }
    }

    /// A member whose type says itself what is wrong with it; here the member's name is added.
    func value<Value: Decodable>(_ member: Member) throws -> Value? {
        let key = AnyKey(member.stringValue)
        guard contains(key) else { return nil }
        if case .null? = try found(member) {
            throw wrong(.null, member, "a value", accepted: "a value, or leave it out")
        }
        do {
            return try decode(Value.self, forKey: key)
        } catch var error as InvalidValue {
            error.member = member.stringValue
            throw error
        }
    }

    func deadline() throws -> Double? {
        let accepted = "seconds, more than 0 and at most \(Int(StripChange.deadlineLimit))"
        let seconds: Double
        switch try found(.deadline) {
        case nil: return nil
        case .integer(let value): seconds = Double(value)
        case .fraction(let value): seconds = value
        case .some(let found): throw wrong(found, .deadline, "a number", accepted: accepted)
        }
        guard seconds > 0, seconds <= StripChange.deadlineLimit else {
            throw InvalidValue(
                text: String(seconds), problem: "is out of range", accepted: accepted, member: "deadline")
        }
        return seconds
    }

    private func wrong(_ found: JSONValue, _ member: Member, _ wanted: String, accepted: String) -> InvalidValue {
        let problem = if case .null = found { "is not \(wanted)" } else { "is \(found.kind), not \(wanted)" }
        return InvalidValue(text: found.text, problem: problem, accepted: accepted, member: member.stringValue)
    }
}
