public import CommandLineTable
import StripAPI
import StripModel

/// The whole of stripctl: from the words of the command line to an exit code.
public enum Stripctl {
    /// The table: help, man page and completion are written from it.
    public static let program = Program(
        "stripctl", summary: "drive Bluetooth LED strips through the stripd daemon",
        explanation: [
            "Without a target the default strip is meant (stripctl default NAME), else the only one that is known. If none "
                + "is known yet, the first command looks for one and adopts it if it is the only one in reach.",
            "Levels are percentages from 1 to 100; 50 and 50% are the same. In a shell, quote '#ff8800' or leave out "
                + "the '#': it begins a comment.",
        ],
        verbs: commands.map(\.verb), options: Options.all,
        examples: [
            Example("stripctl color ff8800", "Make the strip orange."),
            Example("stripctl white 60 desk shelf", "Two strips, white, at 60 %."),
            Example("stripctl brightness -10", "A little darker."),
            Example("stripctl status", "What all strips show, and how sure that is."),
        ],
        exitCodes: ExitCode.allCases.map { ($0.rawValue, $0.meaning) })

    static let commands: [Command] = [
        OnVerb.on, OnVerb.off, OnVerb.toggle, ColorVerb.command, WhiteVerb.command, BrightnessVerb.command,
        EffectVerb.command, SpeedVerb.command, EffectsVerb.command,
        StatusVerb.command, WatchVerb.command, ListVerb.command,
        ScanVerb.command, AdoptVerb.command, AliasVerb.command, DefaultVerb.command, ForgetVerb.command,
        LinkVerb.release, LinkVerb.refresh,
        VersionVerb.command, HelpVerb.command,
    ]

    /// Runs one command line (without the program's own name).
    public static func run(_ words: [String], in surroundings: Surroundings) -> ExitCode {
        do {
            return try perform(words, in: surroundings)
        } catch is OutputClosed {
            return .done
        } catch let error as UsageError {
            surroundings.report(program.explanation(of: error))
            return .usage
        } catch let error as OutputFailed {
            surroundings.complain("stripctl: cannot write the output: \(error.reason)\n")
            return .failed
        } catch {
            surroundings.complain("stripctl: \(safe(String(describing: error)))\n")
            return .failed
        }
    }

    /// Nothing is done by it, or nothing would be with `--dry-run`.
    private static func isDry(_ verb: Verb) -> Bool {
        ["on", "off", "color", "white", "brightness", "effect", "speed", "effects", "help", "version"].contains(
            verb.name)
    }

    private static func perform(_ words: [String], in surroundings: Surroundings) throws -> ExitCode {
        guard !words.isEmpty else {
            surroundings.complain(program.help())
            return .usage
        }
        let parsed = try program.parse(words)
        if parsed.has(.help) {
            try surroundings.write(parsed.verb.map(program.help(of:)) ?? program.help())
            return .done
        }
        let call = try Call(parsed, surroundings)
        if parsed.has(.version) { return try VersionVerb.sayOwn(call) }
        guard let command = commands.first(where: { $0.verb.name == parsed.verb?.name }) else {
            throw UsageError("what should stripctl do?")
        }
        if parsed.has(Options.dryRun), !isDry(command.verb) {
            throw UsageError(
                "\(command.verb.name) cannot be tried with \(Options.dryRun.long), only a change of the light can",
                verb: command.verb.name)
        }
        do {
            return try command.run(call)
        } catch let error as InvalidValue {
            call.explain(Problem(.badValue, error.description, suggestions: error.suggestions))
            return .usage
        } catch let error as ClientError {
            let advice = call.search.advice(on: error, group: surroundings.group)
            call.explain(Problem(.of(error), advice))
            return ExitCode(error)
        } catch let error as Refused {
            call.explain(error.problem, as: error.body)
            return ExitCode(error.problem)
        }
    }
}

extension Call {
    /// What went wrong: as JSON if that was asked for (the daemon's own, where it comes from there), else in words.
    fileprivate func explain(_ problem: Problem, as body: [UInt8]? = nil) {
        guard !wantsJSON else {
            let text = String(decoding: body ?? problem.json, as: UTF8.self)
            surroundings.complain(text.last == "\n" ? text : text + "\n")
            return
        }
        let name = problem.strip.map { StripText($0).name + ": " } ?? ""
        complain(name + problem.detail)
        for mistake in problem.errors ?? [] where !problem.detail.contains(mistake.detail) {
            surroundings.complain("  " + safe("\(mistake.member): \(mistake.detail)") + "\n")
        }
        let suggestions = (problem.suggestions ?? []).filter { !problem.detail.contains($0) }
        if !suggestions.isEmpty {
            surroundings.complain("Did you mean \(suggestions.map { safe($0) }.joined(separator: " or "))?\n")
        }
        let found = (problem.found ?? []).filter {
            $0.verdict != .other && !problem.detail.contains($0.address.description)
        }
        for found in found.prefix(8) {
            let signal = found.rssi.map { "  \($0) dBm" } ?? ""
            surroundings.complain(
                "  stripctl adopt \(found.address)  # \(found.name.map(safeName) ?? "no name")\(signal)\n")
        }
    }
}

extension Problem.Kind {
    fileprivate static func of(_ error: ClientError) -> Problem.Kind {
        switch error {
        case .unreachable: .unreachable
        case .notAllowed: .forbidden
        case .badPath: .badValue
        case .broken, .endedEarly, .timedOut, .malformed, .tooLarge: .noAnswer
        }
    }
}
