// One run of a verb: what was typed, where the daemon is, and how to talk to the person.

import CommandLineTable
import StripAPI
import StripModel

/// A verb: its line in the table and what it does.
struct Command: Sendable {
    let verb: Verb
    let run: @Sendable (Call) throws -> ExitCode
}

/// The daemon's answer was an error; its bytes are what `--json` prints.
struct Refused: Error {
    let problem: Problem
    let body: [UInt8]

    init(problem: Problem, body: [UInt8]) { (self.problem, self.body) = (problem, body) }

    init(_ response: Response) { self.init(problem: Problem(response), body: response.body) }
}

struct Call {
    let parsed: Parsed
    let surroundings: Surroundings
    let search: SocketSearch
    /// How long a change may take, if that was said.
    let timeout: Int?

    init(_ parsed: Parsed, _ surroundings: Surroundings) throws(UsageError) {
        (self.parsed, self.surroundings) = (parsed, surroundings)
        search = SocketSearch(option: parsed.value(of: Options.socket), in: surroundings)
        timeout = try parsed.number(of: Options.timeout, in: 1...45)
    }

    var client: StripClient { StripClient(socket: search.path) }

    // What the person wants to see.

    var wantsJSON: Bool { parsed.has(Options.json) }
    var isQuiet: Bool { parsed.has(Options.quiet) }
    /// A line about what was done is for someone who watches.
    var wantsLine: Bool { surroundings.outputIsTerminal && !isQuiet && !wantsJSON }
    var wantsTalk: Bool { surroundings.errorsAreTerminal && !isQuiet }

    var showsSwatches: Bool {
        let environment = surroundings.environment
        guard surroundings.outputIsTerminal, (environment("NO_COLOR") ?? "").isEmpty, environment("TERM") != "dumb"
        else {
            return false
        }
        return ["truecolor", "24bit"].contains(environment("COLORTERM"))
    }

    func say(_ text: String) throws { try surroundings.write(text + "\n") }

    /// A remark beside the data: for a person at a terminal only.
    func remark(_ text: String) { if wantsTalk { surroundings.complain(safeLines(text) + "\n") } }

    /// Something that went wrong.
    func complain(_ text: String) { surroundings.report("stripctl: " + safeLines(text) + "\n") }

    /// The daemon's answer as it came, on one line's end.
    func sayJSON(_ body: [UInt8]) throws {
        let text = String(decoding: body, as: UTF8.self)
        try surroundings.write(text.last == "\n" ? text : text + "\n")
    }

    // Asking.

    /// Sends it; an answer that is an error is thrown. `patience` is in seconds.
    func ask(_ request: Request, patience: Int = 10, awaiting: String) throws -> Response {
        let response = try client.send(request, seconds: patience) {
            remark("waiting for \(awaiting) (Ctrl-C ends the waiting, not the command)")
        }
        guard response.status < 300 else { throw Refused(response) }
        return response
    }
}
