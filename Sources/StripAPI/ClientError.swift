/// How an exchange with the daemon can fail before there is an answer to read.
public enum ClientError: Error, Hashable, Sendable {
    /// Too long for a socket, or empty.
    case badPath(String)
    case unreachable(path: String, SystemError)
    /// The socket is there but its permissions keep us out.
    case notAllowed(path: String)
    case broken(SystemError)
    /// The daemon hung up in the middle of its answer.
    case endedEarly
    case timedOut(seconds: Int)
    case malformed(String)
    case tooLarge
}

extension ClientError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .badPath(let path): "'\(path)' cannot be a socket: its path is empty or too long"
        case .unreachable(let path, let error): "cannot reach \(path): \(error)"
        case .notAllowed(let path): "not allowed to use \(path)"
        case .broken(let error): "the connection to the daemon broke: \(error)"
        case .endedEarly: "the daemon hung up before its answer was complete"
        case .timedOut(let seconds): "the daemon did not answer within \(seconds) s"
        case .malformed(let what): "what answered does not speak HTTP as the daemon does: \(what)"
        case .tooLarge: "the answer is larger than any that the daemon gives"
        }
    }
}
