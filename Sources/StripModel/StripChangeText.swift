import FoundationEssentials

/// A change as JSON text: as it arrived, where also the text itself may be wrong, and as it is sent.
extension StripChange {
    /// Every refusal is an `InvalidValue`. Beside what decoding refuses, these are: text that is not JSON, and a member that
    /// is there twice, of which decoders would take either.
    public init(json text: [UInt8]) throws(InvalidValue) {
        let accepted = #"an object such as {"color": "ff8800"}"#
        let shown = { String(decoding: text.prefix(200), as: UTF8.self) }
        guard !text.contains(0) else {
            throw InvalidValue(text: shown(), problem: "is not JSON in UTF-8", accepted: accepted, fault: .syntax)
        }
        do {
            self = try JSONDecoder().decode(StripChange.self, from: Data(text))
        } catch let error as InvalidValue {
            throw error
        } catch {
            throw InvalidValue(text: shown(), problem: "is not JSON", accepted: accepted, fault: .syntax)
        }
        guard !hasTrailingComma(in: text) else {
            throw InvalidValue(text: shown(), problem: "is not JSON", accepted: accepted, fault: .syntax)
        }
        if let key = repeatedMember(in: text) {
            throw InvalidValue(text: key, problem: "is there more than once", accepted: "each member once", member: key)
        }
    }

    /// The same members as `encode(to:)`, in the same order. Written by hand: a coder from Foundation would be most of the
    /// time that a command takes.
    public var json: String {
        var members: [String] = []
        if let on { members.append("\"on\":\(on)") }
        if let color { members.append("\"color\":\"\(color)\"") }
        if let brightness { members.append("\"brightness\":\(brightness.json)") }
        if let white { members.append("\"white\":\(white.json)") }
        switch effect {
        case .run(let effect): members.append("\"effect\":\"\(effect)\"")
        case .stop: members.append("\"effect\":null")
        case nil: break
        }
        if let speed { members.append("\"speed\":\(speed.json)") }
        if keepPower { members.append("\"keep_power\":true") }
        if channel { members.append("\"white_channel\":true") }
        if let deadline { members.append("\"deadline\":\(deadline)") }
        return "{" + members.joined(separator: ",") + "}"
    }
}

extension Level {
    /// A number, or a string for a step.
    fileprivate var json: String {
        switch self {
        case .absolute: description
        case .relative: "\"\(self)\""
        }
    }
}
