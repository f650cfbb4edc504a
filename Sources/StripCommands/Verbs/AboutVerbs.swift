// `stripctl version` and `help`.

import CommandLineTable
import StripAPI

enum VersionVerb {
    static let command = Command(
        verb: Verb(
            "version", group: "About", summary: "The versions of stripctl and of the daemon",
            examples: [Example("stripctl version", "With the daemon's, if it runs.")]),
        run: { call in
            do {
                let response = try call.ask(Request(.health), awaiting: "the daemon")
                let health = try decode(Health.self, from: response.body)
                if call.wantsJSON {
                    try call.say("{\"stripctl\":\"\(Version.current)\",\"stripd\":\"\(safe(health.version))\"}")
                } else {
                    try call.say("stripctl \(Version.current)\nstripd \(safe(health.version))")
                }
            } catch let error as ClientError {
                if call.wantsJSON {
                    try call.say("{\"stripctl\":\"\(Version.current)\",\"stripd\":null}")
                } else {
                    try call.say("stripctl \(Version.current)")
                    call.remark("stripd does not answer: \(error)")
                }
            }
            return .done
        })

    static func sayOwn(_ call: Call) throws -> ExitCode {
        try call.say(call.wantsJSON ? "{\"stripctl\":\"\(Version.current)\"}" : "stripctl \(Version.current)")
        return .done
    }
}

enum HelpVerb {
    private static let verb = Argument(
        "VERB", .optional, kind: .verb, meaning: "What to explain; without one, everything")

    static let command = Command(
        verb: Verb(
            "help", group: "About", summary: "Explain a verb", arguments: [verb],
            examples: [Example("stripctl help color", "The same as stripctl color --help.")]),
        run: { call in
            let program = Stripctl.program
            guard let name = call.parsed.value(of: verb) else {
                try call.surroundings.write(program.help())
                return .done
            }
            guard let verb = program.verb(named: name) else {
                throw UsageError(
                    "there is no verb '\(safeName(name))' to explain",
                    hint: didYouMean(name, among: program.verbs.map(\.name)))
            }
            try call.surroundings.write(program.help(of: verb))
            return .done
        })
}
