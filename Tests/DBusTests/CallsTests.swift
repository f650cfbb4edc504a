import DBus
import EventLoop
import Testing
import VirtualBlueZ

@Suite struct CallsTests {
    @Test func aCallReturnsWhatTheServiceAnswers() async throws {
        let reply = try await withBus { test in
            try await test.serve { call in [.string(call.member), .string(call.sender)] + call.arguments }
            let bus = try await test.connect()
            let values = try await bus.call(.test("Echo", [.int32(-7)]))
            #expect(values[1].string == (await bus.uniqueName))
            return values
        }
        #expect(reply[0] == .string("Echo"))
        #expect(reply[2] == .int32(-7))
    }

    @Test func anErrorReplyIsThrownWithItsNameAndText() async throws {
        let error = try await withBus { test in
            try await test.serve { _ in throw BusError(name: "test.Error.Busy", message: "come back later") }
            let bus = try await test.connect()
            return await busError { _ = try await bus.call(.test("Fail")) }
        }
        #expect(error == BusError(name: "test.Error.Busy", message: "come back later"))
    }

    @Test("users.md 72: a name that nobody owns and nothing activates fails at once")
    func aNameThatNobodyOwns() async throws {
        let error = try await withBus { test in
            let bus = try await test.connect()
            return await busError { _ = try await bus.call(.test("Anything"), timeout: nil) }
        }
        #expect(error.name == "org.freedesktop.DBus.Error.ServiceUnknown")
    }

    @Test("users.md 71: a policy that denies is an AccessDenied")
    func aPolicyThatDenies() async throws {
        let error = try await withBus(denying: ["org.bluez"]) { test in
            let bus = try await test.connect()
            try await test.connect().requestName("org.bluez")
            let call = MethodCall(to: "org.bluez", path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping")
            return await busError { _ = try await bus.call(call) }
        }
        #expect(error.name == "org.freedesktop.DBus.Error.AccessDenied")
    }

    @Test func aCalleeThatLeavesIsAnErrorAndNotALostBus() async throws {
        let error = try await withBus { test in
            let arrived = Gate()
            let service = try await test.serve { _ in
                arrived.open()
                throw NoReply()
            }
            let bus = try await test.connect()
            let call = Task(executorPreference: test.loop) { try await bus.call(.test("Wait"), timeout: nil) }
            await arrived.pass()
            await service.close()
            return await busError { _ = try await call.value }
        }
        #expect(error.name == "org.freedesktop.DBus.Error.NoReply")
        #expect(!error.isDisconnected)
    }

    @Test(arguments: [Duration.milliseconds(5), .microseconds(1), .zero, .seconds(-3)])
    func aServiceThatDoesNotAnswerTimesOut(timeout: Duration) async throws {
        let error = try await withBus { test in
            try await test.serve { _ in throw NoReply() }
            let bus = try await test.connect()
            return await busError { _ = try await bus.call(.test("Wait"), timeout: timeout) }
        }
        #expect(error.isTimeout, "\(error)")
    }

    @Test(arguments: [Duration?.none, .seconds(Int64.max), .seconds(3600)])
    func aLongTimeoutIsNoTrap(timeout: Duration?) async throws {
        let reply = try await withBus { test in
            try await test.serve { $0.arguments }
            return try await test.connect().call(.test("Echo", [.bool(true)]), timeout: timeout)
        }
        #expect(reply == [.bool(true)])
    }

    @Test func aCancelledCallThrowsAndTheNextOneWorks() async throws {
        try await withBus { test in
            let arrived = Gate()
            try await test.serve { call in
                guard call.member == "Wait" else { return [] }
                arrived.open()
                throw NoReply()
            }
            let bus = try await test.connect()
            let call = Task(executorPreference: test.loop) { try await bus.call(.test("Wait"), timeout: nil) }
            await arrived.pass()
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            #expect(try await bus.call(.test("Go")) == [])
        }
    }

    @Test func aCallFromACancelledTaskIsNotSent() async throws {
        let seen = try await withBus { test in
            let seen = Seen()
            try await test.serve { call in
                seen.add(call.member)
                return []
            }
            let bus = try await test.connect()
            await Task(executorPreference: test.loop) {
                withUnsafeCurrentTask { $0?.cancel() }
                await #expect(throws: CancellationError.self) { try await bus.call(.test("Never")) }
            }.value
            _ = try await bus.call(.test("Last"))
            return seen.all
        }
        #expect(seen == ["Last"])
    }

    @Test("users.md 67: 300 parallel calls keep below the bus's limit of pending replies")
    func manyParallelCalls() async throws {
        let (peak, answers) = try await withBus(limits: ["max_replies_per_connection": 128]) { test in
            let (gate, seen, full) = (Gate(), Seen(), Gate())
            try await test.serve { call in
                seen.enter()
                if seen.inside == Bus.maximumOutstandingCalls { full.open() }
                await gate.pass()
                seen.leave()
                return call.arguments
            }
            let bus = try await test.connect()
            let calls = (0..<300).map { number in
                Task(executorPreference: test.loop) { try await bus.call(.test("Go", [.int32(Int32(number))])) }
            }
            await full.pass()
            // Calls to the bus itself do not wait in line.
            #expect(try await bus.owner(of: "test.Service") != nil)
            gate.open()
            var answers: [Int] = []
            for call in calls { answers.append(try await call.value.first?.int ?? -1) }
            return (seen.peak, answers)
        }
        #expect(answers == Array(0..<300))
        #expect(peak == Bus.maximumOutstandingCalls)
    }

    @Test func cancelledCallsHoldTheirPlaceUntilTheCalleeAnswers() async throws {
        try await withBus(limits: ["max_replies_per_connection": 128]) { test in
            let (gate, seen, full) = (Gate(), Seen(), Gate())
            try await test.serve { call in
                seen.enter()
                if seen.inside == Bus.maximumOutstandingCalls { full.open() }
                await gate.pass()
                return []
            }
            let bus = try await test.connect()
            let abandoned = (0..<100).map { _ in
                Task(executorPreference: test.loop) { try await bus.call(.test("Wait"), timeout: nil) }
            }
            await full.pass()
            for call in abandoned { call.cancel() }
            for call in abandoned { await #expect(throws: CancellationError.self) { try await call.value } }
            // Places are taken: this one gives up in line, without an error from the bus's limit.
            let late = await busError { _ = try await bus.call(.test("Wait"), timeout: .milliseconds(5)) }
            #expect(late.isTimeout, "\(late)")
            let cancelled = Task(executorPreference: test.loop) { try await bus.call(.test("Wait"), timeout: nil) }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            #expect(seen.peak == 100)
            gate.open()
            #expect(try await bus.call(.test("Go")) == [])
        }
    }

    @Test func aLostBusEndsTheCallsInLineToo() async throws {
        try await withBus { test in
            let (seen, full) = (Seen(), Gate())
            try await test.serve { call in
                seen.enter()
                if seen.inside == Bus.maximumOutstandingCalls { full.open() }
                throw NoReply()
            }
            let bus = try await test.connect()
            let calls = (0..<150).map { _ in
                Task(executorPreference: test.loop) { try await bus.call(.test("Wait"), timeout: nil) }
            }
            await full.pass()
            test.daemon.stop()
            for call in calls { #expect(await busError { _ = try await call.value }.isDisconnected) }
        }
    }
}

/// What a service saw. Confined to the test's loop.
final class Seen: @unchecked Sendable {
    private(set) var all: [String] = []
    private(set) var inside = 0
    private(set) var peak = 0
    func add(_ entry: String) { all.append(entry) }
    func enter() {
        inside += 1
        peak = max(peak, inside)
    }
    func leave() { inside -= 1 }
}
