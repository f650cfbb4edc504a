import Glibc
import Testing
import VirtualBlueZ

/// What is kept over a restart, and what becomes of a bad state file.
@Suite struct StateTests {
    @Test("users.md 80, 98: a restart keeps name, default, colour and brightness, and invents no state")
    func restart() async throws {
        try await House.with(strips: 2, adopted: ["desk", "shelf"]) { house in
            try await house.type("color ff8800 desk")
            try await house.type("brightness 1 desk")
            try await house.type("default desk")
            try await house.restartDaemon()
            let status = try await house.status()
            for (member, value) in [
                ("alias", "desk"), ("default", true), ("color", "ff8800"), ("brightness", 1), ("on", nil),
                ("available", nil),
            ] as [(String, JSON)] {
                #expect(status[member] == value, "\(member)")
            }
            #expect(status["certainty"]["power"]["is"] == "unknown")
            #expect(try await house.type("brightness 100") == .done)
            #expect(await house.lights() == [Frames.orange, "56 03 01 00 00 f0 aa", Frames.orange])
            #expect(try await house.type("list --json").json["strips"].items.map { $0["alias"] } == ["desk", "shelf"])
        }
    }

    @Test("users.md 80: the light was changed by someone else over the restart: that colour counts")
    func changedMeanwhile() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("color ff8800 desk")
            try await house.stopDaemon()
            await house.bluez.remoteControl(0) { ($0.red, $0.green, $0.blue) = (0, 0, 200) }
            try await house.startDaemon()
            #expect(try await house.type("brightness 50 desk") == .done)
            #expect(await house.lights().last == "56 00 00 64 00 f0 aa")
        }
    }

    @Test("the state is there right after a stop, as JSON") func onStop() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("color ff8800 desk")
            try await house.stopDaemon()
            let file = JSON(parsing: text(of: house.stateFile) ?? "")
            #expect(file["version"] == 1)
            #expect(file["strips"][0]["address"] == "ff:ff:38:5b:40:65")
            #expect(file["strips"][0]["alias"] == "desk")
            #expect(entries(of: house.state) == ["strips.json"], "no temporary file is left")
            try await house.startDaemon()
        }
    }

    @Test("users.md 150: what was written 5 s ago outlives kill -9") func killed() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("alias lamp desk")
            // The file is replaced 5 s after the first change; it appears under its name when it is whole.
            await house.fileAppears("strips.json", in: house.state)
            #expect(try await house.stopDaemon(SIGKILL).status == 128 + SIGKILL)
            try await house.startDaemon()
            #expect(try await house.status("lamp")["alias"] == "lamp")
        }
    }

    @Test(
        "users.md 150: a file that is torn, foreign or of another version is set aside, with a message",
        arguments: [
            "", "{\"version\":1,\"stri", "[]", "{\"version\":99,\"strips\":[]}", "\u{1}\u{2}", "null",
            "{\"version\":1,\"strips\":[{\"address\":\"nonsense\"}]}",
        ])
    func badFile(content: String) async throws {
        try await House.with(
            World(strips: 1, timing: .fast),
            prepare: { directory in
                mkdir(directory + "/state", 0o700)
                try write(content, to: directory + "/state/strips.json")
            }
        ) { house in
            let log = await house.log
            #expect(log.contains("strips.json") && log.contains("kept as"), "\(log)")
            #expect(text(of: house.stateFile + ".unreadable") == content)
            #expect(try await house.http("GET /v1/health").json["status"] == "degraded")
            #expect(try await house.type("on ff:ff:38:5b:40:65") == .done)
            try await house.restartDaemon()
            #expect(try await house.type("on ff:ff:38:5b:40:65") == .done)
            #expect(try await house.http("GET /v1/health").json["status"] == "ok")
            #expect(try await house.type("list --json").json["strips"][0]["id"] == "ff:ff:38:5b:40:65")
        }
    }

    @Test("users.md 150: a state directory that cannot be used is reported and does not stop the light") func unusable()
        async throws
    {
        try await House.with(World(strips: 1, timing: .fast), prepare: { try write("mine", to: $0 + "/state") }) {
            house in
            let adoption = try await house.type("adopt ff:ff:38:5b:40:65 desk")
            #expect(adoption.status == 1)
            #expect(adoption.errors.contains("will be forgotten when stripd stops"))
            #expect(try await house.type("color ff8800 desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.orange])
            let health = try await house.http("GET /v1/health").json
            #expect(health["status"] == "degraded")
            #expect(health["state_file"].text.contains(house.state), "\(health)")
            #expect(text(of: house.state) == "mine")
            #expect(await house.log.contains(house.state))
        }
    }
}
