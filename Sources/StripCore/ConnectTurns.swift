/// Decides whose turn it is to connect on one adapter: everyone's at once, until the adapter proves unable, and then one
/// at a time. Pure.
struct ConnectTurns: Sendable {
    typealias ID = UInt64

    private var waiting: [ID] = []
    private var connecting: Set<ID> = []
    private(set) var isOneAtATime = false

    /// - Returns: those whose turn has come.
    mutating func want(_ id: ID) -> [ID] {
        waiting.append(id)
        return grants()
    }

    /// The caller gave up before it was its turn.
    mutating func withdraw(_ id: ID) { waiting.removeAll { $0 == id } }

    /// - Parameter collided: it failed in a way that two connects at once can cause.
    /// - Returns: those whose turn has come.
    mutating func ended(_ id: ID, collided: Bool) -> [ID] {
        connecting.remove(id)
        if collided, !connecting.isEmpty { isOneAtATime = true }
        return grants()
    }

    private mutating func grants() -> [ID] {
        let free = isOneAtATime ? (connecting.isEmpty ? 1 : 0) : waiting.count
        let granted = Array(waiting.prefix(free))
        waiting.removeFirst(granted.count)
        connecting.formUnion(granted)
        return granted
    }
}
