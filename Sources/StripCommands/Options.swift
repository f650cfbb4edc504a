// The options and arguments that several verbs share.

import CommandLineTable

enum Options {
    static let socket = Option(
        "socket", value: "PATH", kind: .path,
        meaning: "The daemon's socket, instead of STRIPD_SOCKET or the usual places")
    static let json = Option(
        "json", short: "j", meaning: "Print the daemon's answer as JSON, the same as over REST; errors go to stderr")
    static let quiet = Option("quiet", short: "q", meaning: "Print errors and requested data only")
    static let timeout = Option(
        "timeout", value: "SECONDS", kind: .number, meaning: "How long a change may take, 1 to 45 (20)")
    static let noWait = Option("no-wait", meaning: "Return as soon as the daemon has accepted the command")
    static let dryRun = Option(
        "dry-run", short: "n", meaning: "Print the frames that a change would send, and send nothing")

    static let all = [socket, json, quiet, timeout, noWait, dryRun, .help, .version]
}

enum Arguments {
    static let targets = Argument(
        "TARGET", .any, kind: .target,
        meaning: "Strips: an alias or its unique beginning, an address, or all; without one, the default strip")
    static let shown = Argument(
        "TARGET", .any, kind: .target,
        meaning: "Strips: an alias or its unique beginning, or an address; without one, all")
}
