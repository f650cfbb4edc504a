// A change as JSON text, written by hand: a coder from Foundation would be most of the time that a command takes.

public import StripModel

extension StripChange {
    /// The same members as `encode(to:)`, in the same order.
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
