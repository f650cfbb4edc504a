// `stripctl status` and `list`: what is known, without asking the strips.

import CommandLineTable
import StripAPI
import StripModel

enum StatusVerb {
    static let command = Command(
        verb: Verb(
            "status", group: "Look", summary: "What the strips show, and how sure that is",
            explanation: [
                "Each value is reported (the strip said so), assumed (it was written and not confirmed) or unknown. Looking "
                    + "never connects: stripctl refresh asks the strip."
            ],
            arguments: [Arguments.shown],
            examples: [
                Example("stripctl status", "All strips."),
                Example("stripctl status desk --json", "One, for a program: what is unknown is null."),
            ]),
        run: { call in
            let targets = call.parsed.values(of: Arguments.shown)
            guard let strips = try call.strips(targets) else { return .done }
            let now = call.surroundings.now()
            let rows = strips.map { strip in
                let text = StripText(strip, swatches: call.showsSwatches)
                return [text.name, text.power, text.light, text.level, text.link, text.certainty(now: now)]
            }
            try call.surroundings.write(table(["NAME", "POWER", "LIGHT", "LEVEL", "LINK", "CERTAINTY"], rows))
            return .done
        })
}

enum ListVerb {
    static let command = Command(
        verb: Verb(
            "list", group: "Look", summary: "The strips that are known",
            explanation: [
                "The one with a star is meant when none is named. What is in the air is shown by stripctl scan."
            ],
            examples: [Example("stripctl list", "Names, addresses, and whether they are in reach.")]),
        run: { call in
            guard let strips = try call.strips([]) else { return .done }
            let rows = strips.map { strip in
                let text = StripText(strip)
                return [
                    (strip.isDefault ? "* " : "  ") + (strip.alias?.text ?? "-"), strip.id.description,
                    strip.name.map(safeName) ?? "-", text.available, text.signal, strip.adapter.map { safe($0) } ?? "-",
                ]
            }
            try call.surroundings.write(
                table(["  NAME", "ADDRESS", "MODEL NAME", "IN REACH", "SIGNAL", "ADAPTER"], rows))
            return .done
        })
}

extension Call {
    /// The strips that these targets name; `nil` if all has been said: as JSON, or that there are none.
    fileprivate func strips(_ targets: [String]) throws -> [StripView]? {
        let request = targets.isEmpty ? Request(.strips) : Request(.strip, targets)
        let response = try ask(request, awaiting: "the daemon")
        guard !wantsJSON else {
            try sayJSON(response.body)
            return nil
        }
        guard case .strips(let strips) = try decode(Answer.self, from: response.body) else {
            throw ClientError.malformed("its answer holds no strips")
        }
        guard strips.isEmpty else { return strips }
        remark("No strip is known yet. stripctl scan shows those in reach; stripctl adopt ADDRESS takes one in.")
        return nil
    }
}
