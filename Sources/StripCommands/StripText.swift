// A strip in words: the cells and lines that people see.

import FoundationEssentials
import StripAPI
import StripModel

struct StripText {
    let strip: StripView
    let swatches: Bool

    init(_ strip: StripView, swatches: Bool = false) { (self.strip, self.swatches) = (strip, swatches) }

    var name: String { strip.alias?.text ?? strip.name.map(safeName) ?? strip.id.description }

    var power: String { strip.on.map { $0 ? "on" : "off" } ?? "?" }

    var light: String {
        if let effect = strip.effect { return safe(effect) + (strip.speed.map { " at \($0) %" } ?? "") }
        if let color = strip.color, strip.white == nil { return swatch(color) + color.description }
        return strip.white == nil ? "?" : "white"
    }

    var level: String {
        if strip.effect != nil { return "" }
        return (strip.white ?? strip.brightness).map { "\($0) %" } ?? "?"
    }

    /// `desk  ff8800  100 %  on`.
    var line: String { [name, light, level, power].filter { !$0.isEmpty }.joined(separator: "  ") }

    var link: String { strip.cause.map { "\(strip.link.rawValue) (\($0.rawValue))" } ?? strip.link.rawValue }

    var available: String { strip.available.map { $0 ? "yes" : "no" } ?? "?" }

    var signal: String { strip.rssi.map { "\($0) dBm" } ?? "" }

    /// How sure the values are and how old, said once if power and light agree.
    func certainty(now: Double) -> String {
        let power = Self.knowledge(strip.certainty.power, now: now)
        let light = Self.knowledge(strip.certainty.light, now: now)
        return power == light ? power : "power \(power), light \(light)"
    }

    private func swatch(_ color: Color) -> String {
        swatches ? "\u{1B}[48;2;\(color.red);\(color.green);\(color.blue)m  \u{1B}[0m " : ""
    }

    private static func knowledge(_ knowledge: Knowledge, now: Double) -> String {
        guard let date = knowledge.at, knowledge.is != .unknown else { return knowledge.is.rawValue }
        return "\(knowledge.is.rawValue) \(age(seconds: now - date.timeIntervalSince1970))"
    }
}

/// `just now`, `3 s ago`, `5 min ago`, `2 h ago`, `4 d ago`. A clock that went back says just now.
func age(seconds: Double) -> String {
    switch seconds {
    case ..<1: "just now"
    case ..<90: "\(Int(seconds)) s ago"
    case ..<5400: "\(Int(seconds / 60)) min ago"
    case ..<129_600: "\(Int(seconds / 3600)) h ago"
    case ..<8.64e10: "\(Int(seconds / 86400)) d ago"
    default: "long ago"
    }
}
