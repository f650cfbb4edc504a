import EventLoop
import Testing

@Suite struct TimerTests {
    @Test func timersDueAtTheSameTimeFireInTheOrderInWhichTheyWereSet() async throws {
        let fired = try await onLoop { loop in
            let log = Log()
            for number in 0..<3000 { loop.schedule(after: .zero) { log.add("\(number)") } }
            return await log.first(3000)
        }
        #expect(fired == (0..<3000).map(String.init))
    }

    @Test func aTimerIsNeverEarly() async throws {
        let early = try await onLoop { loop in
            let log = Log()
            for microseconds in stride(from: 100, through: 5000, by: 700) {
                let due = loop.now + .microseconds(microseconds)
                loop.schedule(after: .microseconds(microseconds)) { log.add(loop.now < due ? "early" : "fine") }
            }
            return await log.first(8).contains("early")
        }
        #expect(!early)
    }

    @Test func aCancelledTimerDoesNotFire() async throws {
        let fired = try await onLoop { loop in
            let log = Log()
            let timer = loop.schedule(after: .milliseconds(1)) { log.add("cancelled") }
            loop.schedule(after: .milliseconds(2)) { log.add("kept") }
            loop.cancel(timer)
            loop.cancel(timer)
            return await log.first(1)
        }
        #expect(fired == ["kept"])
    }

    @Test func aTimerMayCancelAnotherThatIsDueToo() async throws {
        let fired = try await onLoop { loop in
            let log = Log()
            let other = Mutable<TimerID?>(nil)
            loop.schedule(after: .zero) {
                log.add("first")
                if let timer = other.value { loop.cancel(timer) }
            }
            other.value = loop.schedule(after: .zero) { log.add("cancelled") }
            loop.schedule(after: .zero) { log.add("last") }
            return await log.first(2)
        }
        #expect(fired == ["first", "last"])
    }

    @Test func aTimerMayCancelItself() async throws {
        let fired = try await onLoop { loop in
            let log = Log()
            let me = Mutable<TimerID?>(nil)
            me.value = loop.schedule(after: .zero) {
                if let timer = me.value { loop.cancel(timer) }
                log.add("fired")
            }
            return await log.first(1)
        }
        #expect(fired == ["fired"])
    }

    @Test func aTimerThatSetsItselfAgainForNowLeavesRoomForJobs() async throws {
        let reached = try await onLoop { loop in
            @Sendable func again() { loop.schedule(after: .zero, again) }
            again()
            await Task.yield()
            await Task.yield()
            return true
        }
        #expect(reached)
    }

    @Test func thousandsOfTimersAreSetAndHalfOfThemCancelled() async throws {
        let sum = try await onLoop { loop in
            let fired = Mutable(0)
            let timers = (0..<5000).map { number in
                loop.schedule(after: .microseconds((number * 7919) % 5000)) { fired.value += 1 }
            }
            for index in stride(from: 0, to: 5000, by: 2) { loop.cancel(timers[index]) }
            try await loop.sleep(for: .milliseconds(6))
            return fired.value
        }
        #expect(sum == 2500)
    }

    @Test("a delay that no clock can hold", arguments: [Duration.seconds(Int64.max), .seconds(1_000_000_000_000)])
    func anEndlessDelayIsNoTrap(delay: Duration) async throws {
        let fired = try await onLoop { loop in
            let log = Log()
            loop.schedule(after: delay) { log.add("never") }
            loop.schedule(after: .milliseconds(1)) { log.add("soon") }
            return await log.first(1)
        }
        #expect(fired == ["soon"])
    }

    @Test(arguments: [
        (Duration.zero, Int32(0)), (.seconds(-5), 0), (.nanoseconds(1), 1), (.microseconds(1500), 2),
        (.seconds(2), 2000),
        (.milliseconds(Int32.max), .max), (.seconds(Int64.max), .max),
    ])
    func durationsBecomeMillisecondsThatCTakes(duration: Duration, milliseconds: Int32) {
        #expect(duration.milliseconds(.up) == milliseconds)
    }
}

/// A variable that only the loop's thread touches.
final class Mutable<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}
