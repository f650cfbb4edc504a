import Testing

@testable import EventLoop

@Suite struct TimerQueueTests {
    /// Sets timers, takes all that are due at `time`, and returns their names.
    private func fired(_ timers: [(due: Int, name: String)], at time: Int, upTo limit: UInt64 = .max) -> [String] {
        let names = Mutable<[String]>([])
        var queue = TimerQueue()
        for timer in timers { _ = queue.insert(due: .seconds(timer.due)) { names.value.append(timer.name) } }
        while let fire = queue.popDue(at: .seconds(time), upTo: limit) { fire() }
        return names.value
    }

    @Test func theEarliestFiresFirst() {
        #expect(fired([(3, "c"), (1, "a"), (2, "b")], at: 3) == ["a", "b", "c"])
    }

    @Test func equalsFireInTheOrderInWhichTheyWereSet() {
        #expect(fired([(2, "b"), (1, "a"), (2, "c"), (2, "d")], at: 2) == ["a", "b", "c", "d"])
    }

    @Test func whatIsNotDueStays() {
        #expect(fired([(1, "a"), (2, "b")], at: 1) == ["a"])
    }

    @Test func whatIsNewerThanTheLimitStays() {
        #expect(fired([(1, "a"), (1, "b"), (1, "c")], at: 1, upTo: 2) == ["a", "b"])
    }

    @Test func aRandomPlanFiresInOrderWithoutTheCancelled() {
        var random = SystemRandomNumberGenerator()
        var queue = TimerQueue()
        let fired = Mutable<[Int]>([])
        var kept: [Int] = []
        for _ in 0..<2000 {
            let due = Int.random(in: 0..<500, using: &random)
            let timer = queue.insert(due: .seconds(due)) { fired.value.append(due) }
            if Bool.random(using: &random) { queue.remove(timer) } else { kept.append(due) }
        }
        while let fire = queue.popDue(at: .seconds(500), upTo: .max) { fire() }
        #expect(fired.value == kept.sorted())
        #expect(queue.nextDue == nil)
    }
}
