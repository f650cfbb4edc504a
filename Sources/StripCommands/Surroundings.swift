/// Nobody reads our output any more; that is no failure.
struct OutputClosed: Error {}

/// What a command finds around it: the environment, the terminal, the clock, the file system. Tests bring their own.
public struct Surroundings: Sendable {
    var environment: @Sendable (String) -> String?
    var userID: UInt32
    var outputIsTerminal: Bool
    var errorsAreTerminal: Bool
    /// Seconds since 1970.
    var now: @Sendable () -> Double
    /// Writes to the standard output; throws `OutputClosed` if nobody reads it.
    var write: @Sendable (String) throws -> Void
    /// Writes to the standard error.
    var complain: @Sendable (String) -> Void
    var isSocket: @Sendable (String) -> Bool
    /// The name of the group that a file belongs to; `nil` if that cannot be told.
    var group: @Sendable (String) -> String?
    /// Throws if there is nobody left to go on for.
    var pause: @Sendable (_ milliseconds: Int32) throws -> Void

    init(
        environment: @escaping @Sendable (String) -> String?, userID: UInt32, outputIsTerminal: Bool,
        errorsAreTerminal: Bool, now: @escaping @Sendable () -> Double,
        write: @escaping @Sendable (String) throws -> Void, complain: @escaping @Sendable (String) -> Void,
        isSocket: @escaping @Sendable (String) -> Bool, group: @escaping @Sendable (String) -> String?,
        pause: @escaping @Sendable (_ milliseconds: Int32) throws -> Void
    ) {
        (self.environment, self.userID, self.now) = (environment, userID, now)
        (self.outputIsTerminal, self.errorsAreTerminal) = (outputIsTerminal, errorsAreTerminal)
        (self.write, self.complain, self.isSocket) = (write, complain, isSocket)
        (self.group, self.pause) = (group, pause)
    }

    /// Says what went wrong: with its hints on lines of their own to a person, on one line to a log or cron's mail.
    func report(_ text: String) {
        guard !errorsAreTerminal else { return complain(text) }
        let line = text.split(separator: "\n").reduce(into: "") { line, next in
            guard let last = line.last else { return line += next }
            line += (".;:,?".contains(last) ? " " : "; ") + next
        }
        complain(line + "\n")
    }
}
