import Glibc
import Testing
import VirtualBlueZ

/// `stripctl watch`.
@Suite struct WatchTests {
    @Test("a snapshot first, then each change as a line of JSON") func changesAsJSON() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let watch = try await house.begin("watch --json")
            let snapshot = JSON(parsing: await watch.line { _ in true } ?? "")
            #expect(snapshot["event"] == "snapshot")
            #expect(snapshot["data"]["strips"][0]["alias"] == "desk")
            try await house.type("color ff8800 desk")
            let line = await watch.line { JSON(parsing: $0)["data"]["color"] == "ff8800" }
            let change = JSON(parsing: line ?? "")
            #expect(change["event"] == "strip")
            #expect(change["data"]["id"] == "ff:ff:38:5b:40:65")
            #expect(change.names == ["data", "event"])
            await watch.signal(SIGINT)
            #expect(await watch.end().status == 128 + SIGINT)
        }
    }

    @Test("users.md 65: what someone else changes shows by itself while the link is up") func changesFromOutside()
        async throws
    {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("color ff8800 desk")
            try await house.until { $0["certainty"]["light"]["is"] == "reported" }
            let watch = try await house.begin("watch desk")
            #expect(await watch.line { $0 == "desk  ff8800  100 %  on  ready" } != nil)
            await house.bluez.remoteControl(0, notifying: true) { ($0.red, $0.green, $0.blue) = (0, 0, 255) }
            #expect(await watch.line { $0 == "desk  0000ff  100 %  on  ready" } != nil)
            await house.bluez.remoteControl(0, notifying: true) { $0.on = false }
            #expect(await watch.line { $0 == "desk  0000ff  100 %  off  ready" } != nil)
            #expect(await house.frames() == [Frames.on, Frames.orange])
        }
    }

    @Test("watch goes on when the daemon is restarted") func aRestart() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let watch = try await house.begin("watch --json")
            await watch.line { JSON(parsing: $0)["event"] == "snapshot" }
            try await house.restartDaemon()
            try await house.type("alias lamp desk")
            #expect(await watch.line { $0.contains(#""alias":"lamp""#) } != nil)
            await watch.signal(SIGTERM)
            let lines = await watch.end().output.split(separator: "\n").map { JSON(parsing: String($0)) }
            #expect(lines.count { $0["event"] == "snapshot" } == 2)
        }
    }

    @Test func adoptionAndForgetting() async throws {
        try await House.with(strips: 1) { house in
            let watch = try await house.begin("watch")
            try await house.type("adopt ff:ff:38:5b:40:65 desk")
            #expect(await watch.line { $0 == "desk  ?  ?  ?  idle" } != nil)
            try await house.type("forget desk")
            #expect(await watch.line { $0 == "desk  forgotten" } != nil)
        }
    }

    @Test func theAdapterGoesOffAndOn() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let watch = try await house.begin("watch --json")
            await watch.line { JSON(parsing: $0)["event"] == "snapshot" }
            await house.bluez.setPowered(adapter: 0, false)
            let off = JSON(parsing: await watch.line { $0.contains(#""powered":false"#) } ?? "")
            #expect(off["event"] == "adapter" && off["data"]["name"] == "hci0")
            let strip = await watch.line { JSON(parsing: $0)["data"]["cause"] == "adapter-off" }
            #expect(JSON(parsing: strip ?? "")["data"]["available"] == false)
            await house.bluez.setPowered(adapter: 0, true)
            #expect(await watch.line { JSON(parsing: $0)["data"]["powered"] == true } != nil)
        }
    }

    @Test("watching what is not there", arguments: [("nosuch", "nosuch"), ("dusk", "desk")])
    func unknownTargets(target: String, word: String) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let answer = try await house.type("watch \(target)")
            #expect(answer.status == 3)
            #expect(answer.errors.contains(word))
        }
    }

    @Test func withoutADaemonItDoesNotWaitForOne() async throws {
        try await House.with(World(strips: 0, timing: .fast), startsDaemon: false) { house async throws in
            #expect(try await house.type("watch").status == 4)
        }
    }
}
