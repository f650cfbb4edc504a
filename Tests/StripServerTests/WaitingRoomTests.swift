import EventLoop
import StripAPI
import Testing
import VirtualBlueZ

@testable import StripServer

@Suite struct WaitingRoomTests {
    @Test func whoDoesNotWaitIsServedWhileAllSeatsAreTaken() async throws {
        try await Desk.with(strips: 1) { desk in  // its waiting room has two seats
            try await desk.adopt("desk")
            await desk.bluez.setSilent(0, true)
            async let first = desk.ask(#"PATCH /v1/strips/desk?wait=60 {"on":true}"#)
            await desk.bluez.wait(forCalls: "StartDiscovery")  // the first waits now
            async let second = desk.ask(#"PATCH /v1/strips/desk?wait=60 {"color":"ff8800","keep_power":true}"#)
            while !(try await desk.ask("GET /v1/strips/desk").body.contains("ff8800")) {}  // and the second
            let third = try await desk.ask("POST /v1/strips/desk/toggle?wait=60")
            #expect(third.status == 503)
            #expect(third.problem == "busy")
            #expect(try await desk.ask(#"PATCH /v1/strips/desk {"on":false}"#).status == 200)
            #expect(try await desk.ask("GET /v1/strips/desk").status == 200)
            await desk.bluez.setSilent(0, false)
            #expect(try await first.status == 200)
            #expect(try await second.status == 200)
            #expect(try await desk.ask(#"PATCH /v1/strips/desk?wait=60 {"on":true}"#).status == 200)
        }
    }
}
