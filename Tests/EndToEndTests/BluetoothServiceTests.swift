import Glibc
import Testing
import VirtualBlueZ

/// bluetoothd and the bus go away, and come back or not.
@Suite struct BluetoothServiceTests {
    @Test("users.md 43: bluetoothd is killed and started again", arguments: [true, false])
    func restarted(isLinked: Bool) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("color ff8800 desk")
            if !isLinked {
                try await house.type("release desk")
                try await house.until { $0["link"] == "idle" }
            }
            await house.bluez.kill()
            try await house.until { $0["cause"] == "no-bluetooth-service" }
            #expect(try await house.http("GET /v1/health").json["bluetooth"] == "absent")
            try await house.bluez.start()
            try await house.until { $0["link"] != "unavailable" }
            #expect(await house.frames() == [Frames.on, Frames.orange], "nothing is written by itself")
            #expect(try await house.type("on desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.orange, Frames.on])
            #expect(try await house.http("GET /v1/health").json["bluetooth"] == "present")
        }
    }

    @Test("users.md 45: bluetoothd goes in mid-write, and the wish is written once it is back") func inMidWrite()
        async throws
    {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("on desk")
            await house.bluez.ignoreNext("WriteValue")
            let stripctl = try await house.begin("color ff8800 desk")
            await house.bluez.wait(forCalls: "WriteValue", times: 2)
            await house.bluez.kill()
            try await house.bluez.start()
            #expect(await stripctl.end() == .done)
            #expect(await house.lights() == [Frames.orange])
        }
    }

    @Test("users.md 44, 72: bluetoothd stays dead") func staysDead() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.stop()
            let answer = try await house.type("on desk")
            #expect(answer.status == 8)
            #expect(
                answer.errors
                    == "stripctl: desk: bluetoothd does not answer: start it with systemctl start bluetooth.\n")
            let reply = try await house.http("PATCH /v1/strips/desk?wait=10", #"{"on":true}"#)
            #expect(reply.status == 503)
            #expect(reply.json["cause"] == "no-bluetooth-service")
            #expect(try await house.type("scan").status == 8)
            #expect(try await house.type("status desk").status == 0)
        }
    }

    @Test("users.md 70: the bus is killed; the daemon lives, says why, and stops cleanly") func theBusIsKilled()
        async throws
    {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("color ff8800 desk")
            house.bus.stop()
            try await house.until { $0["cause"] == "no-bluetooth-service" }
            #expect(try await house.http("GET /v1/health").json["bluetooth"] == "no-bus")
            let answer = try await house.type("on desk")
            #expect(answer.status == 8)
            let log = await house.log
            #expect(log.contains("bluetoothd does not answer"), "\(log)")
            #expect(try await house.type("status desk").status == 0)
        }
    }

    @Test("users.md 70, 119: no bus at the start") func noBusAtAll() async throws {
        try await House.with(World(strips: 0, timing: .fast), startsDaemon: false) { house in
            let daemon = try await house.launch(["--bus", "unix:path=/nowhere/bus"])
            #expect(await daemon.says("listening on", inErrors: true))
            let answer = try await house.type("on ff:ff:38:5b:40:65")
            #expect(answer.status == 8)
            await daemon.signal(SIGTERM)
            #expect(await daemon.end().status == 0)
        }
    }

    @Test("users.md 68, 69: one subscription for all, however many commands") func matchRules() async throws {
        try await House.with(strips: 3, adopted: ["a1", "a2", "a3"]) { house in
            for verb in ["on", "off", "release", "on"] { try await house.type("\(verb) all") }
            let senders = Set(await house.bluez.recordedCalls.map(\.sender))
            #expect(senders.count == 1)
        }
    }

    @Test("users.md 14: objects that come and go while everything is read for the first time") func earlySignals()
        async throws
    {
        try await House.with(World(strips: 3, timing: .fast), startsDaemon: false) { house in
            await house.bluez.delayNext("GetManagedObjects", by: .milliseconds(200))
            try await house.startDaemon()
            await house.bluez.wait(forCalls: "GetManagedObjects")
            await house.bluez.unplug(adapter: 0)
            await house.bluez.plug(adapter: 0)
            #expect(try await house.type("on ff:ff:38:5b:40:65") == .done)
            #expect(await house.frames() == [Frames.on])
        }
    }
}
