import Testing
import VirtualBlueZ

/// `--dry-run`, `--no-wait`, `--quiet`, `--json`, and several targets at once.
@Suite struct OptionsTests {
    @Test(
        "--dry-run prints the frames and sends nothing",
        arguments: [
            ("color ff8800", "cc 23 33\n56 ff 88 00 00 f0 aa\n"),
            ("color ff8800 --keep-power", "56 ff 88 00 00 f0 aa\n"),
            ("on", "cc 23 33\n"), ("off", "cc 24 33\n"), ("effect 0x38 --speed 100", "cc 23 33\nbb 38 01 44\n"),
            ("white 100", "cc 23 33\n56 ff ff ff 00 f0 aa\n"),
            ("white 100 --channel", "cc 23 33\n56 00 00 00 ff 0f aa\n"),
        ])
    func dryRun(line: String, frames: String) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            let parts = line.split(separator: " --", maxSplits: 1).map(String.init)
            let options = parts.count > 1 ? "--" + parts[1] : ""
            #expect(
                try await house.type("\(parts[0]) desk \(options) --dry-run")
                    == ProgramResult(status: 0, output: frames, errors: ""))
            #expect(await house.bluez.recordedCalls.allSatisfy { $0.member == "GetManagedObjects" })
            #expect(try await house.status()["certainty"]["light"]["is"] == "unknown")
        }
    }

    @Test func aDryRunOnAStripThatIsOff() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("off desk")
            let answer = try await house.type("color ff8800 desk --dry-run --json")
            #expect(
                answer.output == #"{"frames":["56 ff 88 00 00 f0 aa","cc 23 33","56 ff 88 00 00 f0 aa"],"notes":[]}"#
                    + "\n")
            #expect(await house.frames() == [Frames.off])
        }
    }

    @Test("--dry-run of a toggle sends nothing either") func aDryToggle() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            _ = try await house.type("toggle desk --dry-run")
            #expect(await house.bluez.recordedCalls.allSatisfy { $0.member == "GetManagedObjects" })
        }
    }

    @Test func noWaitReturnsBeforeTheStripHasIt() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.setSilent(0, true)
            let answer = try await house.type("color ff8800 desk --no-wait --json")
            #expect(answer.status == 0)
            #expect(answer.json["outcome"] == "accepted")
            #expect(answer.json["strip"]["pending"] == true)
            #expect(try await house.type("color 00ff00 desk --no-wait") == .done)
            await house.bluez.setSilent(0, false)
            #expect(await house.bluez.frames(of: 0, atLeast: 2) == [Frames.on, "56 00 ff 00 00 f0 aa"])
        }
    }

    @Test("users.md 120: --quiet says nothing on success, and one line on failure") func quiet() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            #expect(try await house.type("white 50 desk --quiet") == .done)
            await house.bluez.setPowered(adapter: 0, false)
            let answer = try await house.type("on desk --quiet")
            #expect(answer.status == 8)
            #expect(answer.output == "")
            #expect(answer.errors.split(separator: "\n").count == 1, "\(answer.errors)")
            #expect(try await house.type("status desk --quiet").output.hasPrefix("NAME"), "asked for")
        }
    }

    // MARK: Several targets

    @Test func severalStripsAtOnce() async throws {
        try await House.with(strips: 3, adopted: ["desk", "shelf", "sofa"]) { house async throws in
            #expect(try await house.type("color ff8800 desk shelf") == .done)
            #expect(await house.lights(of: 0) == [Frames.orange])
            #expect(await house.lights(of: 1) == [Frames.orange])
            #expect(await house.lights(of: 2) == [])
            #expect(try await house.type("color 00ff00 all") == .done)
            for index in 0..<3 { #expect(await house.lights(of: index).last == "56 00 ff 00 00 f0 aa") }
            #expect(try await house.type("on desk desk") == .done)
            #expect(await house.frames(of: 0).count { $0 == Frames.on } <= 3, "named twice, told once")
        }
    }

    @Test("users.md 121: one of several fails: 1, and the line says which") func oneOfSeveralFails() async throws {
        try await House.with(strips: 2, adopted: ["desk", "shelf"]) { house in
            await house.bluez.setSilent(1, true)
            let answer = try await house.type("color ff8800 desk shelf --timeout 1")
            #expect(answer.status == 1)
            #expect(answer.output == "")
            #expect(answer.errors.hasPrefix("stripctl: shelf: The strip was not heard"), "\(answer.errors)")
            #expect(answer.errors.split(separator: "\n").count == 1)
            #expect(await house.frames(of: 0) == [Frames.on, Frames.orange])

            let json = try await house.type("color 00ff00 desk shelf --timeout 1 --json")
            #expect(json.status == 1)
            let results = json.json["results"]
            #expect(results.items.map { $0["id"] } == ["ff:ff:38:5b:40:65", "ff:ff:38:5b:40:66"])
            #expect(results.items.map { $0["status"] } == [200, 504])
            #expect(results.items.map { $0["outcome"] } == ["written", "failed"])
            #expect(results[1]["cause"] == "out-of-range")
            #expect(results[1]["type"] == "urn:stripd:out-of-range")
            #expect(results[1]["strip"]["available"] == false)
        }
    }

    @Test func aNameThatIsNotThereAmongSeveralStopsThemAll() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let answer = try await house.type("on desk nosuch")
            #expect(answer.status == 3)
            #expect(answer.errors.contains("nosuch"))
            #expect(await house.frames() == [])
        }
    }

    @Test func aFailureAsJSONIsTheProblemOnStandardError() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.setSilent(0, true)
            let answer = try await house.type("on desk --timeout 1 --json")
            #expect(answer.status == 5)
            #expect(answer.output == "")
            let problem = JSON(parsing: answer.errors)
            #expect(problem["type"] == "urn:stripd:out-of-range")
            #expect(problem["status"] == 504)
            #expect(problem["outcome"] == "failed")
            #expect(problem["cause"] == "out-of-range")
            #expect(problem["strip"]["alias"] == "desk")
        }
    }
}
