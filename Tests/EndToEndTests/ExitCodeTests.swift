import DBus
import Glibc
import Testing
import VirtualBlueZ

/// Each exit code of `stripctl`, provoked once (users.md 121).
@Suite struct ExitCodeTests {
    @Test("users.md 121: 0, done") func done() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            #expect(try await house.type("on desk").status == 0)
        }
    }

    @Test("users.md 46, 121: 1, the strip has no services, and the line says what to try") func failed() async throws {
        try await House.withDesk {
            $0.quirks = [.attError0]
        } _: { house in
            let answer = try await house.type("on desk")
            #expect(answer.status == 1)
            #expect(
                answer.errors
                    == "stripctl: desk: The strip is connected, but BlueZ shows none of its services: cut its power once; some firmware confuses BlueZ.\n"
            )
        }
    }

    @Test(
        "users.md 121: 2, the command line is wrong",
        arguments: [
            ("colr ff8800", "Did you mean color"), ("", "stripctl"), ("on --nosuch", "--nosuch"),
            ("on desk --timeout x", "timeout"), ("on desk --timeout 0", "timeout"), ("on desk --timeout 46", "timeout"),
            ("color ff8800 --brightness", "--brightness"), ("list desk", "desk"), ("forget", "TARGET"),
            ("on desk --json=1", "--json"), ("help colr", "color"),
        ])
    func usage(line: String, word: String) async throws {
        try await House.with(World(strips: 0, timing: .fast), startsDaemon: false) { house in
            let answer = try await house.type(line)
            #expect(answer.status == 2)
            #expect(answer.output == "")
            #expect(answer.errors.contains(word), "\(answer.errors)")
        }
    }

    @Test("users.md 121: 3, no such strip") func noSuchStrip() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            #expect(try await house.type("on nosuch").status == 3)
        }
    }

    @Test("users.md 121: 4, no daemon, and what to do") func unreachable() async throws {
        try await House.with(World(strips: 0, timing: .fast), startsDaemon: false) { house in
            for line in ["on desk", "status", "scan", "list", "toggle"] {
                let answer = try await house.type(line)
                #expect(answer.status == 4)
                #expect(answer.output == "")
                #expect(answer.errors.hasPrefix("stripctl: no daemon answers at \(house.socket): "), "\(answer.errors)")
                #expect(answer.errors.contains("systemctl start stripd"))
            }
            try leaveDeadSocket(at: house.socket)
            #expect(try await house.type("status").status == 4)
        }
    }

    @Test("users.md 41, 121: 5, out of range within the time-out, and that a phone may hold it") func outOfRange()
        async throws
    {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.setSilent(0, true)
            let answer = try await house.type("color ff8800 desk --timeout 1")
            #expect(answer.status == 5)
            #expect(
                answer.errors
                    == "stripctl: desk: The strip was not heard: check its power and its distance, and close any phone app that may be connected to it.\n"
            )
            let status = try await house.status()
            #expect(status["available"] == false)
            #expect(status["pending"] == false)
            #expect(status["on"] == nil)
            await house.bluez.setSilent(0, false)
            #expect(try await house.type("on desk") == .done)
            #expect(await house.frames() == [Frames.on], "what failed is not written later")
        }
    }

    @Test("users.md 48, 121: 6, the link was made and the services never came") func timedOut() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.neverResolve(0, times: 1)
            let answer = try await house.type("on desk --timeout 1")
            #expect(answer.status == 6)
            #expect(answer.errors.hasPrefix("stripctl: desk: The link was made, but"), "\(answer.errors)")
        }
    }

    @Test("users.md 71, 121: 7, the bus does not let us") func theBusForbids() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.kill()
            await house.bluez.denyAccess(true)
            try await house.bluez.start()
            let answer = try await house.type("on desk")
            #expect(answer.status == 7)
            #expect(answer.errors.contains("D-Bus policy") && answer.errors.contains("group bluetooth"))
            #expect(try await house.http("GET /v1/health").json["bluetooth"] == "not-allowed")
        }
    }

    @Test("users.md 121, 146: 7, the socket is closed to this user") func theSocketIsClosed() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            // Root may use any socket: it becomes nobody, if nobody can run the programs of this build.
            #expect(chmod(house.directory, 0o711) == 0 && chmod(house.socket, geteuid() == 0 ? 0o600 : 0) == 0)
            let isRoot = geteuid() == 0
            let started = isRoot ? try await house.asSomeoneElse("status") : try await house.begin("status")
            guard let stripctl = started else { return }
            let answer = await stripctl.end()
            #expect(answer.status == 7)
            #expect(answer.output == "")
            #expect(
                answer.errors.hasPrefix("stripctl: permission denied: you may not use the socket \(house.socket)"),
                "\(answer.errors)")
            #expect(answer.errors.contains("group"))
            #expect(!answer.errors.contains("systemctl start"))
        }
    }

    @Test("users.md 1, 121: 8, the adapter is off, after 3 s") func adapterOff() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.setPowered(adapter: 0, false)
            let answer = try await house.type("on desk")
            #expect(answer.status == 8)
            #expect(
                answer.errors
                    == "stripctl: desk: The Bluetooth adapter is off: switch it on with bluetoothctl power on, or unblock it with rfkill.\n"
            )
        }
    }
}
