// How the verbs that act on strips ask for it and report what became of it.

import CommandLineTable
import StripAPI
import StripModel

extension Call {
    /// The targets that were named.
    var targets: [String] { parsed.values(of: Arguments.targets) }

    /// A change of the light of the targets.
    func change(_ change: StripChange, of targets: [String]) throws -> ExitCode {
        var change = change
        change.deadline = timeout.map(Double.init)
        try change.check()
        return try act(.change, on: targets, body: change.json)
    }

    /// Asks for it and reports what became of it. Without targets the default strip is meant.
    func act(_ route: Route, on targets: [String], body: String = "") throws -> ExitCode {
        guard !targets.contains("") else { throw UsageError("a target is empty", verb: parsed.verb?.name) }
        var request = Request(route, targets.isEmpty ? ["default"] : targets, body: body)
        let wait = parsed.has(Options.noWait) || parsed.has(Options.dryRun) ? nil : wait(for: route)
        if parsed.has(Options.dryRun) { request.query.append(("dry_run", "1")) }
        if let wait { request.query.append(("wait", String(wait))) }
        if route == .toggle, let timeout { request.query.append(("deadline", String(timeout))) }
        let names = targets.isEmpty ? "the strip" : targets.map(safeName).joined(separator: ", ")
        // 15 s more, since the first command of all looks for strips before anything is waited for.
        let response = try ask(request, patience: (wait ?? 5) + 15, awaiting: names)
        return try report(response, to: route, waited: wait != nil)
    }

    /// The seconds for which the answer may be held back; `nil` where there is nothing to wait for.
    private func wait(for route: Route) -> Int? {
        switch route {
        // A change has a deadline of its own, at which the daemon says why it failed; the wait must not end before.
        case .change, .toggle: min(60, (timeout ?? 20) + 15)
        case .refresh: timeout ?? 20
        default: nil
        }
    }

    private func report(_ response: Response, to route: Route, waited: Bool) throws -> ExitCode {
        guard !wantsJSON || response.status == 207 || waited else {
            try sayJSON(response.body)
            return .done
        }
        // Nobody looks and nothing can have failed: the status has said it all.
        if response.status != 207, !waited, !wantsLine, !wantsTalk, !parsed.has(Options.dryRun) { return .done }
        if response.body.isEmpty { return .done }
        let answer = try decode(Answer.self, from: response.body)
        if wantsJSON { try sayJSON(response.body) }
        switch answer {
        case .outcome(let outcome): return try report([Result(outcome)], waited: waited)
        case .outcomes(let list): return try report(list.results, waited: waited)
        case .strips(let strips):
            if wantsLine { for strip in strips { try say(StripText(strip).line(after: route)) } }
            return .done
        case .dryRun(let dry):
            if !wantsJSON { for frame in dry.frames { try say(safe(frame)) } }
            for note in dry.notes { remark(note) }
            return .done
        }
    }

    private typealias Result = OutcomeList.Result

    private func report(_ results: [Result], waited: Bool) throws -> ExitCode {
        var codes: [ExitCode] = []
        for result in results {
            let text = result.strip.map { StripText($0, swatches: showsSwatches) }
            let name = text?.name ?? safeName(result.id)
            for note in result.notes { remark(note) }
            switch result.outcome {
            case .accepted where waited:
                if !wantsJSON { complain("\(name): accepted, but not through yet; the daemon keeps at it") }
                codes.append(.timedOut)
            case .accepted, .written, .superseded:
                if wantsLine, let text {
                    let remark = result.outcome == .superseded ? "  (a newer command took its place)" : ""
                    try say(text.line + remark)
                }
            case .failed:
                if !wantsJSON { complain("\(name): \(result.detail ?? result.cause?.explanation ?? "failed")") }
                codes.append(result.exitCode)
            }
        }
        return codes.isEmpty ? .done : results.count == 1 ? codes[0] : .failed
    }
}

extension StripText {
    /// What is said when it has been adopted, named, chosen or let go.
    fileprivate func line(after route: Route) -> String {
        switch route {
        case .adopt: "\(name)  \(strip.id)  adopted"
        case .alias: "\(name)  \(strip.id)"
        case .makeDefault: "\(name)  is the default"
        case .release: "\(name)  link \(link)"
        default: line
        }
    }
}

extension OutcomeList.Result {
    fileprivate init(_ outcome: Outcome) { self.init(id: outcome.strip.id.description, outcome) }

    var exitCode: ExitCode {
        if let cause { return ExitCode(cause) }
        return status == 404 || status == 409 ? .noSuchStrip : .failed
    }
}
