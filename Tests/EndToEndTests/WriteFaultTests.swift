import DBus
import Testing
import VirtualBlueZ

/// Writes that fail, and writes that come all at once.
@Suite struct WriteFaultTests {
    @Test("users.md 54: NotPermitted is answered with the other kind of write") func notPermittedOnce() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            await house.bluez.failWrites(0, code: 0x03, times: 1)
            #expect(try await house.type("color ff8800 desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.orange])
            #expect(await house.bluez.received(by: 0).first?.type == .command)
        }
    }

    @Test(
        "users.md 54: a write that is refused again and again is said to be refused, and by whom it may be",
        arguments: [
            ("org.bluez.Error.NotPermitted", "Write acquired"),
            ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0e"),
        ])
    func refusedEver(name: String, message: String) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.failNext("WriteValue", with: BusError(name: name, message: message), times: 100)
            let answer = try await house.type("on desk")
            #expect(answer.status == 1)
            #expect(answer.errors.contains("another program may hold the characteristic"), "\(answer.errors)")
            #expect(await house.bluez.recordedCalls("WriteValue").count < 10)
        }
    }

    @Test("users.md 56: Not connected, although the property says so: once more on a new link") func notConnected()
        async throws
    {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            try await house.type("on desk")
            try await house.until { $0["link"] == "ready" }  // before that it would only be too early
            await house.bluez.failNext(
                "WriteValue", with: BusError(name: "org.bluez.Error.Failed", message: "Not connected"))
            #expect(try await house.type("color ff8800 desk") == .done)
            #expect(await house.lights() == [Frames.orange])
            let calls = await house.bluez.recordedCalls.map { "\($0) \($0.outcome)" }
            #expect(await house.bluez.recordedCalls("Connect").count == 2, "\(calls)")
        }
    }

    @Test(
        "a write that fails for a moment is written again",
        arguments: [
            ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0e"),
            ("org.bluez.Error.InProgress", "In Progress"),
            ("org.bluez.Error.Failed", "Failed to initiate write"),
        ])
    func hiccups(name: String, message: String) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            await house.bluez.failNext("WriteValue", with: BusError(name: name, message: message))
            #expect(try await house.type("color ff8800 desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.orange])
        }
    }

    @Test("users.md 52, 67: twenty changes at once; no InProgress, one write outstanding, the last wish shows")
    func twentyAtOnce() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.delayWrites(0, by: .milliseconds(5))
            let outcomes = try await withThrowingTaskGroup(of: JSON.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await house.http("PATCH /v1/strips/desk?wait=20", #"{"color":"0000\#(10 + number)"}"#)
                            .json["outcome"]
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count == 20)
            #expect(outcomes.allSatisfy { $0 == "written" || $0 == "superseded" }, "\(outcomes)")
            let writes = await house.bluez.recordedCalls("WriteValue")
            #expect(writes.allSatisfy { if case .failed = $0.outcome { false } else { true } })
            for (one, next) in zip(writes, writes.dropFirst()) {
                #expect(one.answered.map { $0 <= next.time } == true, "\(one) overlaps \(next)")
            }
            let shown = try await house.status()["color"].text
            #expect(await house.lights().last == "56 00 00 \(shown.suffix(2)) 00 f0 aa")
        }
    }

    @Test("users.md 108: a slider; the last of 500 changes is what shows, and power is never dropped") func slider()
        async throws
    {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("off desk")
            for number in 0..<500 {
                let digits = String(number % 256, radix: 16)
                let blue = digits.count < 2 ? "0" + digits : digits
                let reply = try await house.http("PATCH /v1/strips/desk", #"{"color":"0100\#(blue)"}"#)
                #expect(reply.status == 200)
            }
            let last = try await house.http("PATCH /v1/strips/desk?wait=20", #"{"color":"123456"}"#)
            #expect(last.json["outcome"] == "written")
            let lights = await house.lights()
            #expect(lights.last == "56 12 34 56 00 f0 aa")
            #expect(lights.count < 250, "\(lights.count) frames for 500 changes")
            #expect(await house.frames().contains(Frames.on))
            #expect(await house.bluez.shownColor(of: 0) == LightSwatch(red: 0x12, green: 0x34, blue: 0x56))
        }
    }

    @Test("users.md 92, 108: on and off in a burst end with the last") func powerBurst() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            for number in 0..<21 {
                _ = try await house.http("PATCH /v1/strips/desk", #"{"on":\#(number % 2 == 0)}"#)
                _ = try await house.http("PATCH /v1/strips/desk", #"{"color":"00000\#(number % 10)"}"#)
            }
            let last = try await house.http("PATCH /v1/strips/desk?wait=20", #"{"on":false}"#)
            #expect(last.json["outcome"] == "written")
            try await house.until { $0["pending"] == false }
            #expect(await house.bluez.state(of: 0).on == false)
            #expect(await house.bluez.state(of: 0).blue == 0)
        }
    }
}
