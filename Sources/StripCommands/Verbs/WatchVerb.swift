// `stripctl watch`: a line for each change, for as long as it is let.

import CommandLineTable
import FoundationEssentials
import StripAPI
import StripModel

enum WatchVerb {
    static let command = Command(
        verb: Verb(
            "watch", group: "Look", summary: "Print each change as it happens, until Ctrl-C",
            explanation: [
                "First what all strips show now, then one line for each change. It goes on when the daemon is restarted. With "
                    + "--json each line is an object with the members event and data."
            ],
            arguments: [Arguments.shown],
            examples: [
                Example("stripctl watch", "All strips."), Example("stripctl watch desk --json", "Lines for a program."),
            ]),
        run: { call in
            var watch = Watch(call)
            return try watch.run()
        })
}

private struct Watch {
    let call: Call
    let targets: [String]
    /// The strips that are meant; `nil` for all.
    var wanted: Set<BluetoothAddress>?
    /// The line that was printed last for each strip.
    var shown: [BluetoothAddress: String] = [:]
    var shownAdapters: [String: String] = [:]
    var names: [BluetoothAddress: String] = [:]
    var hasHeard = false

    init(_ call: Call) { (self.call, targets) = (call, call.parsed.values(of: Arguments.shown)) }

    /// Follows the daemon, also through a restart; ends by an error only, one of them being that nobody reads any more.
    mutating func run() throws -> ExitCode {
        var pause: Int32 = 250
        while true {
            let heardBefore = hasHeard
            hasHeard = false
            do {
                let refusal = try call.client.follow(Request(.events)) { event in
                    try take(event)
                    return true
                }
                if let refusal { throw Refused(refusal) }
            } catch let error as ClientError {
                switch error {
                case .unreachable, .broken, .endedEarly: guard heardBefore || hasHeard else { throw error }
                default: throw error
                }
            }
            if hasHeard {
                pause = 250
                call.remark("the daemon has gone; waiting for it to come back")
            }
            hasHeard = true
            try call.surroundings.pause(pause)
            pause = min(2000, pause * 2)
        }
    }

    private mutating func take(_ event: StreamEvent) throws {
        hasHeard = true
        let data = Array(event.data.utf8)
        switch EventName(rawValue: event.name) {
        case .snapshot:
            let strips = try decode(StripList.self, from: data).strips
            try choose(among: strips)
            if call.wantsJSON {
                return try sayEvent(wanted == nil ? event : snapshot(of: strips.filter { isWanted($0.id) }))
            }
            for strip in strips { try show(strip, event.name) }
        case .strip:
            let strip = try decode(StripView.self, from: data)
            if call.wantsJSON, isWanted(strip.id) { return try sayEvent(event) }
            try show(strip, event.name)
        case .removed:
            let id = try decode(Removed.self, from: data).id
            guard isWanted(id) else { return }
            if call.wantsJSON { return try sayEvent(event) }
            shown[id] = nil
            try call.say("\(names[id] ?? id.description)  forgotten")
        case .adapter where targets.isEmpty:
            if call.wantsJSON { return try sayEvent(event) }
            let adapter = try decode(AdapterView.self, from: data)
            let line = "adapter \(safe(adapter.name))  \(adapter.powered ? "on" : "off")"
            if shownAdapters.updateValue(line, forKey: adapter.name) != line { try call.say(line) }
        case .adapter: break
        case nil: if call.wantsJSON, targets.isEmpty { try sayEvent(event) }  // a newer daemon knows more
        }
    }

    private func isWanted(_ id: BluetoothAddress) -> Bool { wanted?.contains(id) ?? true }

    private mutating func show(_ strip: StripView, _ event: String) throws {
        guard isWanted(strip.id) else { return }
        let text = StripText(strip, swatches: call.showsSwatches)
        let line = text.line + "  " + text.link
        names[strip.id] = text.name
        guard shown[strip.id] != line else { return }
        shown[strip.id] = line
        try call.say(line)
    }

    /// One JSON object a line; the daemon's data is one line already.
    private func sayEvent(_ event: StreamEvent) throws {
        let data = event.data.split(whereSeparator: \.isNewline).joined(separator: " ")
        try call.say("{\"event\":\"\(safe(event.name, limit: 40))\",\"data\":\(data)}")
    }

    /// The snapshot of some of the strips.
    private func snapshot(of strips: [StripView]) throws -> StreamEvent {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(StripList(strips: strips))
        return StreamEvent(name: EventName.snapshot.rawValue, data: String(decoding: data, as: UTF8.self))
    }

    /// Finds out which strips the targets name.
    private mutating func choose(among strips: [StripView]) throws {
        guard !targets.isEmpty, !targets.contains("all"), wanted == nil else { return }
        var chosen: Set<BluetoothAddress> = []
        for target in targets {
            let address = BluetoothAddress(target)
            let exact = strips.filter {
                $0.alias?.text == target || $0.id == address || target == "default" && $0.isDefault
            }
            let matches = exact.isEmpty ? strips.filter { $0.alias?.text.hasPrefix(target) == true } : exact
            guard matches.count == 1, let match = matches.first else {
                let known = strips.map { StripText($0).name }
                let problem = Problem(
                    matches.isEmpty ? .noSuchStrip : .ambiguousTarget,
                    "\(quoted(target)) \(matches.isEmpty ? "is no known strip" : "fits several strips")",
                    suggestions: matches.isEmpty ? suggestions(for: target, among: known) : known)
                throw Refused(problem)
            }
            chosen.insert(match.id)
        }
        wanted = chosen
    }
}

extension Refused {
    /// A refusal of our own, in the daemon's shape.
    fileprivate init(_ problem: Problem) {
        self.init(problem: problem, body: problem.json)
    }
}
