/// Lets a test decide when a handler goes on, and tells the test what the handler saw.
final class Gate: Sendable {
    private let opening = AsyncStream.makeStream(of: Void.self)
    private let waiting = AsyncStream.makeStream(of: Void.self)
    private let words = AsyncStream.makeStream(of: String.self)

    /// For handlers: waits until the gate is open, even when the task is cancelled.
    func pass() async {
        sayWaiting()
        await Task { for await _ in opening.stream {} }.value
    }

    func sayWaiting() { waiting.continuation.yield() }
    func open() { opening.continuation.finish() }
    func someoneWaits() async { for await _ in waiting.stream { return } }

    func say(_ word: String) { words.continuation.yield(word) }
    func nextWord() async -> String? {
        for await word in words.stream { return word }
        return nil
    }
}
