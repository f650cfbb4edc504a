/// So many houses stand at a time: each has a few processes.
actor Street {
    private static let shared = Street()
    private var free = 8
    private var waiting: [CheckedContinuation<Void, Never>] = []

    static func enter() async { await shared.enter() }
    static func leave() async { await shared.leave() }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
}
