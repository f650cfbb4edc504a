import DBus
import EventLoop
import Testing

@Suite struct ServingTests {
    @Test(
        "what a handler throws becomes the error reply",
        arguments: [
            (BusError(name: "test.Error.Busy", message: "later") as any Error, "test.Error.Busy", "later"),
            (BusError(name: "not a name", message: "still said"), "org.freedesktop.DBus.Error.Failed", "still said"),
            (BusError(name: "test.Error\0.Busy", message: "a\0b"), "org.freedesktop.DBus.Error.Failed", "ab"),
            (BusError(name: "test.Error.Empty", message: ""), "test.Error.Empty", ""),
            (BusError(name: "", message: "no name"), "org.freedesktop.DBus.Error.Failed", "no name"),
            (Oddity(), "org.freedesktop.DBus.Error.Failed", "Oddity()"),
        ])
    func errors(thrown: any Error, name: String, message: String) async throws {
        let error = try await withBus { test in
            try await test.serve { _ in throw thrown }
            let bus = try await test.connect()
            return await busError { _ = try await bus.call(.test("Fail")) }
        }
        #expect(error == BusError(name: name, message: message))
    }

    @Test func anAnswerThatCannotBeSentIsAnErrorToTheCaller() async throws {
        let error = try await withBus { test in
            try await test.serve { _ in [.string("ok"), .structure([])] }
            let bus = try await test.connect()
            return await busError { _ = try await bus.call(.test("Malformed")) }
        }
        #expect(error == BusError(name: "org.freedesktop.DBus.Error.InvalidArgs", message: "a structure has no fields"))
    }

    @Test func whoServesNothingAnswersWithAnError() async throws {
        let error = try await withBus { test in
            try await test.connect().requestName("test.Service")
            let bus = try await test.connect()
            return await busError { _ = try await bus.call(.test("Anything")) }
        }
        #expect(error.name == "org.freedesktop.DBus.Error.UnknownMethod")
    }

    @Test func aSlowHandlerHoldsNobodyUp() async throws {
        try await withBus { test in
            let gate = Gate()
            try await test.serve { call in
                if call.member == "Slow" { await gate.pass() }
                return [.string(call.member)]
            }
            let bus = try await test.connect()
            let slow = Task(executorPreference: test.loop) { try await bus.call(.test("Slow")) }
            #expect(try await bus.call(.test("Fast")) == [.string("Fast")])
            gate.open()
            #expect(try await slow.value == [.string("Slow")])
        }
    }

    @Test func aServiceMayCallItself() async throws {
        let reply = try await withBus { test in
            let bus = try await test.connect()
            await bus.serve { call in
                call.member == "Outer" ? try await bus.call(.test("Inner")) : [.string(call.member)]
            }
            try await bus.requestName("test.Service")
            return try await bus.call(.test("Outer"))
        }
        #expect(reply == [.string("Inner")])
    }

    @Test func aNameHasOneOwner() async throws {
        try await withBus { test in
            let (one, other) = (try await test.connect(), try await test.connect())
            #expect(try await one.owner(of: "test.Service") == nil)
            try await one.requestName("test.Service")
            try await one.requestName("test.Service")
            #expect(try await other.owner(of: "test.Service") == (await one.uniqueName))
            let error = await busError { try await other.requestName("test.Service") }
            #expect(error.name == "org.freedesktop.DBus.Error.AddressInUse")
            try await one.releaseName("test.Service")
            try await one.releaseName("test.Service")
            #expect(try await one.owner(of: "test.Service") == nil)
            try await other.requestName("test.Service")
        }
    }

    @Test(arguments: ["", "one", ":1.1", "a..b", "org.freedesktop.DBus", "nul.\0x"])
    func aNameThatCannotBeOwnedIsAnError(name: String) async throws {
        let error = try await withBus { test in
            let bus = try await test.connect()
            return await busError { try await bus.requestName(name) }
        }
        #expect(error.name == "org.freedesktop.DBus.Error.InvalidArgs", "\(error)")
    }
}

private struct Oddity: Error {}
