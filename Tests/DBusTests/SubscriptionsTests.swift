import DBus
import EventLoop
import Testing

@Suite struct SubscriptionsTests {
    @Test func aSignalArrivesWithAllThatItCarries() async throws {
        let (signal, name) = try await withBus { test in
            let (sender, reader) = (try await test.connect(), try await test.connect())
            let signals = try await reader.signals(matching: MatchRule(interface: "test.Interface"))
            try await sender.emit(.test("Changed", [.string("text"), .options(["a": .byte(1)])]))
            return (try await signals.first { _ in true }, await sender.uniqueName)
        }
        let arrived = try #require(signal)
        #expect(arrived.sender == name)
        #expect(arrived.path == "/test")
        #expect(arrived.member == "Changed")
        #expect(arrived.arguments == [.string("text"), .options(["a": .byte(1)])])
    }

    @Test(
        "a rule lets through what it names, and nothing else",
        arguments: [
            (MatchRule(member: "Yes"), ["Yes /test x", "Yes /test/below y", "Yes /testing z"]),
            (MatchRule(member: "Yes", path: "/test"), ["Yes /test x"]),
            (MatchRule(member: "Yes", pathNamespace: "/test"), ["Yes /test x", "Yes /test/below y"]),
            (MatchRule(member: "Yes", pathNamespace: "/"), ["Yes /test x", "Yes /test/below y", "Yes /testing z"]),
            (MatchRule(member: "Yes", firstArgument: "y"), ["Yes /test/below y"]),
            (MatchRule(interface: "test.Interface", pathNamespace: "/testing"), ["Yes /testing z"]),
        ])
    func rules(rule: MatchRule, expected: [String]) async throws {
        let seen = try await withBus { test in
            let (sender, reader) = (try await test.connect(), try await test.connect())
            // Both on one connection: the bus sends what either matches, and each has to look for itself.
            let all = try await reader.signals(matching: MatchRule(interface: "test.Interface"))
            let some = try await reader.signals(matching: rule)
            for (member, path, text) in [("No", "/test", "x"), ("Yes", "/test", "x"), ("Yes", "/test/below", "y")] {
                try await sender.emit(.test(member, [.string(text)], path: ObjectPath(path) ?? "/"))
            }
            try await sender.emit(.test("Yes", [.string("z")], path: "/testing"))
            try await sender.emit(.test("End"))
            for try await signal in all where signal.member == "End" { break }
            await reader.close()
            var seen: [String] = []
            do {
                for try await signal in some
                where signal.member != "End" && signal.member != "NameOwnerChanged" && signal.member != "NameAcquired" {
                    seen.append("\(signal.member) \(signal.path) \(signal.arguments.first?.string ?? "-")")
                }
            } catch let error as BusError where error.isDisconnected {}
            return seen
        }
        #expect(seen == expected)
    }

    @Test func severalRulesMakeOneStreamInOrder() async throws {
        let seen = try await withBus { test in
            let (sender, reader) = (try await test.connect(), try await test.connect())
            let rules = [
                MatchRule(sender: "test.Service", member: "A"), MatchRule(interface: "test.Interface", path: "/test"),
                MatchRule(sender: "org.freedesktop.DBus", member: "NameOwnerChanged", firstArgument: "test.Service"),
            ]
            let signals = try await reader.signals(matchingAnyOf: rules)
            #expect(try await test.matchRules(of: reader) == 4)
            try await sender.requestName("test.Service")
            for member in ["A", "B", "A"] { try await sender.emit(.test(member)) }
            try await sender.releaseName("test.Service")
            try await sender.emit(.test("End"))
            var seen: [String] = []
            for try await signal in signals {
                seen.append(signal.member)
                if signal.member == "End" { break }
            }
            return seen
        }
        #expect(seen == ["NameOwnerChanged", "A", "B", "A", "NameOwnerChanged", "End"])
    }

    @Test func aWellKnownSenderIsCoveredThroughAChangeOfOwner() async throws {
        let seen = try await withBus { test in
            let reader = try await test.connect()
            let signals = try await reader.signals(
                matching: MatchRule(sender: "test.Service", interface: "test.Interface"))
            for member in ["First", "Second"] {
                let owner = try await test.connect()
                try await owner.requestName("test.Service")
                try await owner.emit(.test(member))
                try await owner.releaseName("test.Service")
                try await owner.emit(.test("Stranger"))
            }
            let last = try await test.connect()
            try await last.requestName("test.Service")
            try await last.emit(.test("End"))
            var seen: [String] = []
            for try await signal in signals {
                seen.append(signal.member)
                if signal.member == "End" { break }
            }
            return seen
        }
        #expect(seen == ["First", "Second", "End"])
    }

    @Test func anOwnerThatWasThereBeforeIsKnown() async throws {
        let member = try await withBus { test in
            let (owner, reader) = (try await test.connect(), try await test.connect())
            try await owner.requestName("test.Service")
            let signals = try await reader.signals(matching: MatchRule(sender: "test.Service"))
            try await owner.emit(.test("Hello"))
            return try await signals.first { _ in true }?.member
        }
        #expect(member == "Hello")
    }

    @Test func aStrangersSignalIsNotTakenForTheServices() async throws {
        let seen = try await withBus { test in
            let (owner, stranger, reader) = (
                try await test.connect(), try await test.connect(), try await test.connect()
            )
            try await owner.requestName("test.Service")
            let fromService = try await reader.signals(matching: MatchRule(sender: "test.Service"))
            let fromAll = try await reader.signals(matching: MatchRule(interface: "test.Interface"))
            try await stranger.emit(.test("Forged"))
            for try await _ in fromAll { break }  // it came through the connection
            try await owner.emit(.test("Genuine"))
            return try await fromService.first { _ in true }?.member
        }
        #expect(seen == "Genuine")
    }

    @Test func theBusItselfCanBeASender() async throws {
        let name = try await withBus { test in
            let reader = try await test.connect()
            let rule = MatchRule(
                sender: "org.freedesktop.DBus", member: "NameOwnerChanged", firstArgument: "test.Service")
            let changes = try await reader.signals(matching: rule)
            try await test.connect().requestName("test.Service")
            return try await changes.first { _ in true }?.arguments.first?.string
        }
        #expect(name == "test.Service")
    }

    @Test func aReaderThatFallsBehindIsToldSo() async throws {
        let (seen, error) = try await withBus { test in
            let (sender, reader) = (try await test.connect(), try await test.connect())
            let slow = try await reader.signals(matching: MatchRule(member: "Tick"), buffer: 3)
            let all = try await reader.signals(matching: MatchRule(interface: "test.Interface"))
            for number in Int32(0)..<5 { try await sender.emit(.test("Tick", [.int32(number)])) }
            try await sender.emit(.test("End"))
            for try await signal in all where signal.member == "End" { break }
            var seen: [Int] = []
            let error = await busError { for try await signal in slow { seen.append(signal.arguments[0].int ?? -1) } }
            #expect(try await test.matchRules(of: reader) == 1)
            return (seen, error)
        }
        #expect(seen == [0, 1, 2])
        #expect(error.name == "org.freedesktop.DBus.Error.LimitsExceeded")
    }

    @Test("users.md 69: a dropped stream takes its match rules off the bus")
    func droppedStreams() async throws {
        try await withBus { test in
            let reader = try await test.connect()
            do {
                let stream = try await reader.signals(matching: MatchRule(sender: "test.Service", member: "A"))
                let other = try await reader.signals(matching: MatchRule(member: "B"))
                #expect(try await test.matchRules(of: reader) == 3)
                withExtendedLifetime((stream, other)) {}
            }
            #expect(try await test.matchRules(of: reader, fallTo: 0))
        }
    }

    @Test func aStreamWhoseReaderIsCancelledTakesItsMatchRuleOffTheBus() async throws {
        try await withBus { test in
            let reader = try await test.connect()
            let stream = try await reader.signals(matching: MatchRule(member: "C"))
            let task = Task(executorPreference: test.loop) { for try await _ in stream {} }
            #expect(try await test.matchRules(of: reader) == 1)
            task.cancel()
            try await task.value
            #expect(try await test.matchRules(of: reader, fallTo: 0))
        }
    }

    @Test func aCancelledSubscriptionLeavesNoMatchRule() async throws {
        let count = try await withBus { test in
            let reader = try await test.connect()
            for _ in 0..<20 {
                let task = Task(executorPreference: test.loop) {
                    _ = try await reader.signals(matching: MatchRule(sender: "test.Service", member: "A"))
                }
                await Task.yield()
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            return try await test.matchRules(of: reader)
        }
        #expect(count == 0)
    }

    @Test func aRefusedSubscriptionLeavesTheOthersAlone() async throws {
        try await withBus(limits: ["max_match_rules_per_connection": 1]) { test in
            let (sender, reader) = (try await test.connect(), try await test.connect())
            let rule = MatchRule(interface: "test.Interface")
            let signals = try await reader.signals(matching: rule)
            let error = await busError { _ = try await reader.signals(matching: rule) }
            #expect(error.name == "org.freedesktop.DBus.Error.LimitsExceeded")
            try await sender.emit(.test("Still"))
            #expect(try await signals.first { _ in true }?.member == "Still")
        }
    }

    @Test(
        "a malformed rule is refused",
        arguments: [
            MatchRule(sender: "not a name"), MatchRule(sender: "a.b',eavesdrop='true"), MatchRule(sender: ""),
            MatchRule(interface: "one"), MatchRule(interface: "a.b\0c"), MatchRule(member: "a.b"),
            MatchRule(member: String(repeating: "m", count: 256)), MatchRule(firstArgument: "it's"),
            MatchRule(firstArgument: "back\\slash"), MatchRule(firstArgument: "nul\0"),
            MatchRule(path: "/a", pathNamespace: "/a"),
        ])
    func malformedRules(rule: MatchRule) async throws {
        let error = try await withBus { test in
            let bus = try await test.connect()
            return await busError { _ = try await bus.signals(matching: rule) }
        }
        #expect(error.name == "org.freedesktop.DBus.Error.InvalidArgs", "\(error)")
    }

    @Test func aRuleThatIsTooLongIsTheBussToRefuse() async throws {
        let error = try await withBus { test in
            let bus = try await test.connect()
            let rule = MatchRule(firstArgument: String(repeating: "x", count: 5000))
            return await busError { _ = try await bus.signals(matching: rule) }
        }
        #expect(error.name == "org.freedesktop.DBus.Error.LimitsExceeded", "\(error)")
    }
}

extension TestBus {
    /// How many match rules the bus keeps for a connection.
    func matchRules(of bus: Bus) async throws -> Int? {
        let call = MethodCall(
            to: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus.Debug.Stats",
            member: "GetConnectionStats", arguments: [.string(await bus.uniqueName ?? "")])
        return try await bus.call(call).first?.dictionary?["MatchRules"]?.int
    }

    /// A dropped stream is noticed a turn of the loop later: asks again, a hundred times at most.
    func matchRules(of bus: Bus, fallTo count: Int) async throws -> Bool {
        for _ in 0..<100 where try await matchRules(of: bus) == count { return true }
        return false
    }
}
