import Glibc
import StripModel

/// Where the daemon listens and keeps its state: what was asked, what systemd gave, or what suits who started it.
struct Places: Hashable, Sendable {
    var socket: String
    /// 0666 for the system's daemon, as BlueZ itself is open to local users on Debian; 0600 for a user's own.
    var socketMode: UInt32
    var stateDirectory: String

    /// - Throws: a sentence for the user, if there is no place.
    init(options: Options, environment: [String: String], isRoot: Bool) throws(PlaceError) {
        let runtime = environment["RUNTIME_DIRECTORY"] ?? (isRoot ? "/run/stripd" : nil)
        if let given = options.socket {
            socket = given
            socketMode = isRoot ? 0o666 : 0o600
        } else if let runtime {
            socket = runtime + "/stripd.sock"
            socketMode = 0o666
        } else if let own = environment["XDG_RUNTIME_DIR"], !own.isEmpty {
            socket = own + "/stripd.sock"
            socketMode = 0o600
        } else {
            throw PlaceError("there is no XDG_RUNTIME_DIR to listen in; say where with --socket PATH")
        }
        if let given = options.state {
            stateDirectory = given
        } else if let given = environment["STATE_DIRECTORY"] {
            stateDirectory = given
        } else if let own = environment["XDG_STATE_HOME"], own.hasPrefix("/") {
            stateDirectory = own + "/stripd"
        } else if isRoot, environment["XDG_RUNTIME_DIR"] == nil {
            stateDirectory = "/var/lib/stripd"
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            stateDirectory = home + "/.local/state/stripd"
        } else {
            throw PlaceError("there is no HOME to keep the known strips in; say where with --state DIR")
        }
    }
}

struct PlaceError: Error, Hashable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
