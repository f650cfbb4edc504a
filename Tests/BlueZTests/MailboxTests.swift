import EventLoop
import Testing

@testable import BlueZ

struct MailboxTests {
    /// Fills and reads a mailbox on its own thread.
    private func with(
        limit: Int = 4096, _ body: @escaping @Sendable (Mailbox<String, Int>) async -> [String]
    ) async throws -> [String] {
        let loop = try EventLoop(name: "mailbox")
        defer { loop.stop() }
        let mailbox = Mailbox<String, Int>(on: loop, limit: limit)
        return await Task(executorPreference: loop) { await body(mailbox) }.value
    }

    @Test func theLatestNewsOfOneThingReplacesTheOneThatWaits() async throws {
        let read = try await with { mailbox in
            for (text, key) in [("a1", 1), ("x", nil), ("b1", 2), ("a2", 1), ("y", nil)] { mailbox.put(text, key: key) }
            mailbox.finish()
            return await mailbox.rest()
        }
        #expect(read == ["x", "b1", "a2", "y"])
    }

    @Test("users.md 28: a flood of advertisements takes no more room than there are devices")
    func flood() async throws {
        let read = try await with(limit: 4) { mailbox in
            for round in 0..<10_000 { mailbox.put("\(round)", key: round % 3) }
            mailbox.put("state")
            mailbox.finish()
            return await mailbox.rest()
        }
        #expect(read == ["9997", "9998", "9999", "state"])
    }

    @Test func aReaderThatFallsBehindGetsWhatWaitsAndThenTheEnd() async throws {
        let read = try await with(limit: 2) { mailbox in
            for text in ["a", "b", "c", "d"] { mailbox.put(text) }
            return await mailbox.rest()
        }
        #expect(read == ["a", "b"])
    }

    @Test func cancellationEndsTheWait() async throws {
        let read = try await with { mailbox in
            let reader = Task { await mailbox.rest() }
            reader.cancel()
            return await reader.value
        }
        #expect(read == [])
    }

    @Test func orderSurvivesReadingInBetween() async throws {
        let read = try await with { mailbox in
            var read: [String] = []
            for round in 0..<500 {
                mailbox.put("\(round)", key: round % 7 == 0 ? 7 : nil)
                mailbox.put("-")
                if round.isMultiple(of: 2), let text = try? await mailbox.next().get() { read.append(text) }
            }
            mailbox.finish()
            return await read + mailbox.rest()
        }
        let states = (0..<500).filter { $0 % 7 != 0 }.map { "\($0)" }
        #expect(read.filter { $0 != "-" && Int($0).map { $0 % 7 != 0 } == true } == states)
        #expect(read.count { $0 == "-" } == 500)
        #expect(read.contains("497"))
    }
}

extension Mailbox {
    fileprivate func rest() async -> [Element] {
        var read: [Element] = []
        while let element = try? await next().get() { read.append(element) }
        return read
    }
}
