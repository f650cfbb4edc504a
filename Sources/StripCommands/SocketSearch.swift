// Where the daemon listens: what was said, else this user's own daemon, else the system's.

import StripAPI

struct SocketSearch: Hashable {
    static let system = "/run/stripd/stripd.sock"

    let path: String
    /// The places that were looked at before, where there was no socket.
    let passedOver: [String]

    init(option: String?, in surroundings: Surroundings) {
        if let path = option ?? surroundings.environment("STRIPD_SOCKET"), option != nil || !path.isEmpty {
            (self.path, passedOver) = (path, [])
            return
        }
        var candidates: [String] = []
        if let directory = surroundings.environment("XDG_RUNTIME_DIR"), !directory.isEmpty {
            candidates.append(directory + "/stripd.sock")
        }
        let usual = "/run/user/\(surroundings.userID)/stripd.sock"
        if !candidates.contains(usual) { candidates.append(usual) }
        if let own = candidates.first(where: surroundings.isSocket) {
            (path, passedOver) = (own, [])
        } else {
            (path, passedOver) = (Self.system, candidates)
        }
    }

    /// One sentence about what was tried, then what to do.
    func advice(on error: ClientError, group: (String) -> String?) -> String {
        switch error {
        case .unreachable(let path, let reason):
            var text = "no daemon answers at \(safe(path)): \(reason)"
            if !passedOver.isEmpty {
                text += " (nor is there a socket at \(passedOver.map { safe($0) }.joined(separator: " or ")))"
            }
            return text + """

                Start it: systemctl start stripd, or stripd to run it as yourself;
                stripd --simulate 3 is one to try without any hardware.
                """
        case .notAllowed(let path):
            let group = group(path)
            return "permission denied: you may not use the socket \(safe(path))"
                + (group.map {
                    ", which belongs to the group \(safe($0))\nJoin it: sudo usermod -aG \(safe($0)) $USER, then log in again."
                }
                    ?? "; its directory is closed to you")
        default: return error.description
        }
    }
}
