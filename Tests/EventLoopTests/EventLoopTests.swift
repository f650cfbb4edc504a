import EventLoop
import Glibc
import Testing

@Suite struct EventLoopTests {
    @Test func jobsRunOnTheLoopsThreadAlone() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        #expect(!loop.isOnLoopThread)
        #expect(await Task(executorPreference: loop) { loop.isOnLoopThread }.value)
    }

    @Test func jobsFromManyThreadsAllRun() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let counter = Counter(on: loop)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask { for _ in 0..<500 { await counter.add() } }
            }
        }
        #expect(await counter.count == 8000)
    }

    @Test func anActorKeepsItsTasksOnTheLoopAfterASuspension() async throws {
        let stayed = try await onLoop { loop in
            let counter = Counter(on: loop)
            await counter.add()
            return loop.isOnLoopThread
        }
        #expect(stayed)
    }

    @Test func whatIsQueuedBeforeStopStillRuns() async throws {
        let loop = try EventLoop(name: "test")
        let log = Log()
        await Task(executorPreference: loop) {
            for number in 0..<3 { Task(executorPreference: loop) { log.add("\(number)") } }
            loop.stop()
        }.value
        #expect(await log.first(3) == ["0", "1", "2"])
    }

    @Test func aStoppedLoopIsFreed() async throws {
        weak var freed: EventLoop?
        let ended = AsyncStream.makeStream(of: Void.self)
        do {
            let loop = try EventLoop(name: "test")
            freed = loop
            await Task(executorPreference: loop) {
                let witness = Witness { ended.continuation.finish() }
                // Held by a timer that never fires, that is, by the loop.
                loop.schedule(after: .seconds(3600)) { _ = witness }
            }.value
            loop.stop()
        }
        for await _ in ended.stream {}
        #expect(freed == nil)
    }

    @Test func theThreadCarriesTheLoopsName() async throws {
        let loop = try EventLoop(name: "ünter a long name")  // 15 bytes count
        defer { loop.stop() }
        let name = await Task(executorPreference: loop) {
            var bytes = [UInt8](repeating: 0, count: 32)
            let file = open("/proc/thread-self/comm", O_RDONLY | O_CLOEXEC)
            defer { close(file) }
            let count = read(file, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }.value
        #expect(name == "ünter a long n\n")
    }
}

private actor Counter {
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private(set) var count = 0
    init(on loop: EventLoop) { self.loop = loop }
    func add() { count += 1 }
}

private final class Witness: Sendable {
    let ended: @Sendable () -> Void
    init(_ ended: @escaping @Sendable () -> Void) { self.ended = ended }
    deinit { ended() }
}
