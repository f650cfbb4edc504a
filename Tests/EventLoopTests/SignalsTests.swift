import EventLoop
import Glibc
import Testing

/// Signals are sent to the loop's thread alone, and blocked there alone: the threads of the test runner have them
/// unblocked, and a signal to the process would end it.
@Suite struct SignalsTests {
    @Test func aBlockedSignalArrivesInTheStream() async throws {
        let seen = try await onLoop { loop in
            EventLoop.blockSignals([SIGUSR1, SIGUSR2])
            let signals = try loop.signals([SIGUSR1, SIGUSR2])
            raise(SIGUSR2)
            var iterator = signals.makeAsyncIterator()
            let first = await iterator.next()
            raise(SIGUSR1)
            return [first, await iterator.next()]
        }
        #expect(seen == [SIGUSR2, SIGUSR1])
    }

    @Test func aSignalThatWasPendingBeforeIsDelivered() async throws {
        let seen = try await onLoop { loop in
            EventLoop.blockSignals([SIGUSR1])
            raise(SIGUSR1)
            return try await loop.signals([SIGUSR1]).first { _ in true }
        }
        #expect(seen == SIGUSR1)
    }

    @Test func aDroppedStreamLeavesTheSignalToTheNext() async throws {
        let seen = try await onLoop { loop in
            EventLoop.blockSignals([SIGUSR1])
            _ = try loop.signals([SIGUSR1])
            try await loop.sleep(for: .zero)  // one turn: the watch of the dropped stream has ended
            raise(SIGUSR1)
            return try await loop.signals([SIGUSR1]).first { _ in true }
        }
        #expect(seen == SIGUSR1)
    }
}
