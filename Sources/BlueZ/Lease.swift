import EventLoop

/// Calls back when the stream that holds it is dropped.
final class Lease: Sendable {
    private let loop: EventLoop
    private let ended: @Sendable () async -> Void

    init(on loop: EventLoop, ended: @escaping @Sendable () async -> Void) {
        self.loop = loop
        self.ended = ended
    }

    /// Does `body` and stays alive meanwhile.
    func keeping<T>(_ body: () async throws -> T) async rethrows -> T {
        defer { withExtendedLifetime(self) {} }
        return try await body()
    }

    deinit { Task(executorPreference: loop) { [ended] in await ended() } }
}
