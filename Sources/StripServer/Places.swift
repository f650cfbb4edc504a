/// Where the daemon listens and keeps its state: what was asked, what systemd gave, or what suits who started it.
struct Places: Hashable, Sendable {
    var socket: String
    /// 0666 for the system's daemon, as BlueZ itself is open to local users on Debian; 0600 for a user's own.
    var socketMode: UInt32
    /// The system's daemon may be started from a shell, without systemd that would make its directory.
    var createsSocketDirectory = false
    var stateDirectory: String

    /// - Throws: a sentence for the user, if there is no place.
    init(options: Options, environment: [String: String], isRoot: Bool) throws(PlaceError) {
        if let given = options.socket {
            socket = given
            socketMode = isRoot ? 0o666 : 0o600
        } else if let runtime = Self.directory("RUNTIME_DIRECTORY", environment) {
            socket = runtime + "/stripd.sock"
            socketMode = 0o666
        } else if isRoot {
            socket = "/run/stripd/stripd.sock"
            socketMode = 0o666
            createsSocketDirectory = true
        } else if let own = Self.directory("XDG_RUNTIME_DIR", environment) {
            socket = own + "/stripd.sock"
            socketMode = 0o600
        } else {
            throw PlaceError("there is no XDG_RUNTIME_DIR to listen in; say where with --socket PATH")
        }
        if let given = options.state ?? Self.directory("STATE_DIRECTORY", environment) {
            stateDirectory = given
        } else if isRoot {
            stateDirectory = "/var/lib/stripd"
        } else if let own = Self.directory("XDG_STATE_HOME", environment) {
            stateDirectory = own + "/stripd"
        } else if let home = Self.directory("HOME", environment) {
            stateDirectory = home + "/.local/state/stripd"
        } else {
            throw PlaceError("there is no HOME to keep the known strips in; say where with --state DIR")
        }
        // Simulated strips are no one's: they do not belong among the real ones.
        if options.simulate != nil, options.state == nil { stateDirectory += "/simulated" }
    }

    /// A directory out of the environment. systemd may name several with colons between: the first is the service's own.
    /// What is not an absolute path is as good as unset (XDG Base Directory Specification).
    private static func directory(_ name: String, _ environment: [String: String]) -> String? {
        guard let value = environment[name]?.split(separator: ":").first, value.hasPrefix("/") else { return nil }
        return String(value)
    }
}

/// Why the daemon cannot start where it was told to.
struct PlaceError: Error, Hashable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
