/// Decides how one adapter's radio is shared: no Connect starts during our own discovery, connects run side by side,
/// and one at a time once the adapter proved unable. Pure.
struct RadioSchedule: Sendable {
    typealias ID = UInt64

    enum Action: Hashable, Sendable {
        case startDiscovery
        /// To be answered by `discoveryStopped`.
        case stopDiscovery
        /// This Connect may start now; to be answered by `connectEnded`.
        case grant(ID)
    }

    private enum Discovery: Hashable, Sendable { case off, on, stopping }

    private var discovery = Discovery.off
    private var isScanWanted = false
    private var waiting: [ID] = []
    private var connecting: Set<ID> = []
    /// Connects that take so long that discovery need not wait for them.
    private var slow: Set<ID> = []
    private var isOneAtATime = false

    mutating func scanWanted(_ wanted: Bool) -> [Action] {
        isScanWanted = wanted
        return decide()
    }

    mutating func connectWanted(_ id: ID) -> [Action] {
        waiting.append(id)
        return decide()
    }

    /// The caller gave up before it was its turn.
    mutating func connectWithdrawn(_ id: ID) -> [Action] {
        waiting.removeAll { $0 == id }
        return decide()
    }

    /// - Parameter collided: it failed in a way that two connects at once can cause.
    mutating func connectEnded(_ id: ID, collided: Bool) -> [Action] {
        connecting.remove(id)
        slow.remove(id)
        if collided, !connecting.isEmpty { isOneAtATime = true }
        return decide()
    }

    mutating func connectIsSlow(_ id: ID) -> [Action] {
        guard connecting.contains(id) else { return [] }
        slow.insert(id)
        return decide()
    }

    mutating func discoveryStopped() -> [Action] {
        discovery = .off
        return decide()
    }

    /// It ended by itself: the adapter was switched off, or BlueZ refused.
    mutating func discoveryEnded() -> [Action] {
        if discovery == .on { discovery = .off }
        isScanWanted = false
        return decide()
    }

    private mutating func decide() -> [Action] {
        if !waiting.isEmpty {
            switch discovery {
            case .on:
                discovery = .stopping
                return [.stopDiscovery]
            case .stopping: return []
            case .off: return grants()
            }
        }
        switch discovery {
        case .off where isScanWanted && connecting.subtracting(slow).isEmpty:
            discovery = .on
            return [.startDiscovery]
        case .on where !isScanWanted:
            discovery = .stopping
            return [.stopDiscovery]
        case .off, .on, .stopping: return []
        }
    }

    private mutating func grants() -> [Action] {
        let granted = isOneAtATime ? (connecting.isEmpty ? Array(waiting.prefix(1)) : []) : waiting
        waiting.removeAll(where: granted.contains)
        connecting.formUnion(granted)
        return granted.map { .grant($0) }
    }
}
