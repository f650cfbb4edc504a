import EventLoop
import Testing

@Suite struct LoopClockTests {
    @Test func sleepingTakesAtLeastItsTime() async throws {
        let slept = try await onLoop { loop in
            let start = loop.now
            try await loop.sleep(for: .milliseconds(3))
            return loop.now - start
        }
        #expect(slept >= .milliseconds(3))
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func aSleepOfNothingReturns(duration: Duration) async throws {
        try await onLoop { loop in try await loop.sleep(for: duration) }
    }

    @Test func aCancelledSleepThrows() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let (started, sink) = AsyncStream.makeStream(of: Void.self)
        let sleeper = Task(executorPreference: loop) {
            sink.finish()
            try await loop.sleep(for: .seconds(3600))
        }
        for await _ in started {}
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test func aSleepThatStartsCancelledThrows() async throws {
        try await onLoop { loop in
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { try await loop.sleep(for: .seconds(3600)) }
        }
    }

    @Test func theClockMeasuresInTheLoopsTime() async throws {
        let elapsed = try await onLoop { loop in
            try await loop.clock.measure { try await loop.clock.sleep(for: .milliseconds(2)) }
        }
        #expect(elapsed >= .milliseconds(2))
    }

    @Test func sleepersWakeInOrder() async throws {
        let order = try await onLoop { loop in
            let (log, start) = (Log(), loop.clock.now)
            for milliseconds in [4, 2, 0] {
                Task(executorPreference: loop) {
                    try await loop.clock.sleep(until: start.advanced(by: .milliseconds(milliseconds)))
                    log.add("\(milliseconds)")
                }
            }
            return await log.first(3)
        }
        #expect(order == ["0", "2", "4"])
    }
}
