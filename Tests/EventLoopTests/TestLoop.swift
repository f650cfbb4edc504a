import EventLoop
import Glibc
import Synchronization

/// Runs `body` on a loop of its own, and ends the loop.
func onLoop<Value: Sendable>(
    _ body: @escaping @Sendable (EventLoop) async throws -> Value
) async throws -> Value {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    return try await Task(executorPreference: loop) { try await body(loop) }.value
}

/// What happened, in order. Each entry can be awaited.
final class Log: Sendable {
    private let stream: AsyncStream<String>
    private let sink: AsyncStream<String>.Continuation

    init() { (stream, sink) = AsyncStream.makeStream(of: String.self) }

    func add(_ entry: String) { sink.yield(entry) }

    /// The first `count` entries, waiting for them.
    func first(_ count: Int) async -> [String] { await stream.prefix(count).reduce(into: []) { $0.append($1) } }
}

/// A pair of connected sockets that do not block.
struct Pipe {
    let ours: Int32
    let theirs: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Errno.last }
        (ours, theirs) = (ends[0], ends[1])
    }

    func send() { _ = write(theirs, [1] as [UInt8], 1) }
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(ours, &bytes, bytes.count) > 0 {}
    }
    func end() {
        close(ours)
        close(theirs)
    }
}
