import HTTPServer
import StripAPI
import StripCore
import StripModel

/// Says in the log who changed what: one line for each change that was taken.
struct WriteLog: Sendable {
    let log: Log

    /// What was done to a strip.
    enum Deed: Sendable {
        case change(StripChange)
        case toggle, refresh, release, adopt, name, makeDefault, forget
    }

    /// `uid 1000 pid 123 set desk {"color":"ff8800"}: written`
    func note(_ peer: Peer, _ deed: Deed, _ strip: StripView, _ outcome: Outcome.Kind? = nil) {
        log(.info, "\(peer.text) \(deed.text(name(of: strip)))\(outcome.map { ": \($0.rawValue)" } ?? "")")
    }

    private func name(of strip: StripView) -> String { strip.alias?.text ?? strip.id.description }
}

extension WriteLog.Deed {
    fileprivate func text(_ strip: String) -> String {
        switch self {
        case .change(let change): "set \(strip) \(change.json)"
        case .toggle: "toggled \(strip)"
        case .refresh: "asked \(strip) for its state"
        case .release: "released \(strip)"
        case .adopt: "adopted \(strip)"
        case .name: "named \(strip)"
        case .makeDefault: "made \(strip) the default"
        case .forget: "forgot \(strip)"
        }
    }
}

extension Peer {
    /// `uid 1000 pid 123`, or an address.
    var text: String {
        switch self {
        case .unix(let pid, let uid, _): "uid \(uid) pid \(pid)"
        case .tcp(let address): address
        }
    }
}
