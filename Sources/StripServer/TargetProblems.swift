import StripAPI
import StripCore
import StripModel

// Why no strip is meant, in the words of the API.

extension Problem {
    init(_ error: TargetError) {
        switch error {
        case .noneKnown:
            self.init(
                .noSuchStrip, "no strip is known yet: stripctl scan lists what is near, stripctl adopt takes one in")
        case .noDefault(let names):
            self.init(
                .noDefault,
                "several strips are known and none is the default; name one of \(names.joined(separator: ", ")), or say stripctl default NAME",
                suggestions: names)
        case .unknown(let word, let suggestions):
            let hint =
                suggestions.isEmpty
                ? "stripctl list shows the known ones" : "did you mean \(suggestions.joined(separator: " or "))?"
            self.init(
                .noSuchStrip, "no strip is called \(quoted(word)); \(hint)",
                suggestions: suggestions.isEmpty ? nil : suggestions)
        case .ambiguous(let word, let aliases):
            self.init(
                .ambiguousTarget, "\(quoted(word)) fits \(aliases.joined(separator: " and ")); write one of them out",
                suggestions: aliases)
        }
    }

    init(_ error: FirstAdoptionError) {
        switch error {
        case .noneHeard(let others):
            let maybe = others.filter { $0.verdict == .maybe }.count
            let more = maybe == 0 ? "" : "; \(maybe) other devices were heard, stripctl scan --all lists them"
            self.init(
                .noneFound,
                "no strip was heard in 10 s: is it powered, near, and not held by a phone app?\(more)",
                found: others.map { FoundStrip($0, known: false, alias: nil) })
        case .several(let strips):
            let list = strips.map { "\($0.address) (\(quoted($0.name ?? "")), \($0.rssi.map(String.init) ?? "?") dBm)" }
            self.init(
                .severalFound,
                "several strips are in range and none was adopted: \(list.joined(separator: ", ")). Take yours with stripctl adopt \(strips.first.map { "\($0.address)" } ?? "ADDRESS") desk",
                found: strips.map { FoundStrip($0, known: false, alias: nil) })
        case .failed(let cause): self.init(failed: cause, strip: nil)
        }
    }
}

extension FoundStrip {
    init(_ heard: HeardDevice, known: Bool, alias: Alias?) {
        self.init(
            address: heard.address, name: heard.name, rssi: heard.rssi, adapter: heard.adapter, verdict: heard.verdict,
            known: known, alias: alias)
    }
}
