import Glibc
import Testing
import VirtualBlueZ

/// How `stripd` starts, stops, and shares its socket with nobody.
@Suite struct DaemonLifeTests {
    @Test("SIGTERM and SIGINT end it cleanly, and the socket goes", arguments: [SIGTERM, SIGINT])
    func signals(number: Int32) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("color ff8800 desk")
            let watch = try await house.begin("watch")
            #expect(await watch.says("desk"))
            let end = try await house.stopDaemon(number)
            #expect(end.status == 0)
            #expect(end.errors.hasSuffix("stripd: stopped\n"), "\(end.errors)")
            #expect(!exists(house.socket))
            await house.bluez.wait(for: 0) { $0 == .unlinked }
            #expect(await house.frames() == [Frames.on, Frames.orange], "the light stays")
            try await house.startDaemon()
        }
    }

    @Test("a command that waits while the daemon stops is told so") func stoppedWhileWaiting() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            await house.bluez.setSilent(0, true)
            let stripctl = try await house.begin("on desk")
            await house.bluez.wait(forCalls: "StartDiscovery")
            #expect(try await house.stopDaemon().status == 0)
            let answer = await stripctl.end()
            #expect(answer.status == 1)
            #expect(answer.errors.contains("stripd was stopped before the change was through"), "\(answer.errors)")
            try await house.startDaemon()
        }
    }

    @Test("a live daemon's socket is never taken over") func second() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let end = await (try house.launch()).end()
            #expect(end.status == 1)
            #expect(end.errors.contains(house.socket), "\(end.errors)")
            #expect(end.errors.contains("daemon"), "\(end.errors)")
            #expect(try await house.type("on desk") == .done)
        }
    }

    @Test("a dead daemon's socket is replaced") func stale() async throws {
        try await House.with(World(strips: 1, timing: .fast), prepare: { try leaveDeadSocket(at: $0 + "/stripd.sock") })
        { house in
            #expect(try await house.type("on ff:ff:38:5b:40:65") == .done)
            #expect(try await house.stopDaemon(SIGKILL).status == 128 + SIGKILL)
            #expect(exists(house.socket))
            try await house.startDaemon()
            #expect(try await house.type("status").status == 0)
        }
    }

    @Test("a foreign file at the socket's place is left alone", arguments: [false, true])
    func foreignFile(isLink: Bool) async throws {
        try await House.with(World(strips: 0, timing: .fast), startsDaemon: false) { house in
            let file = isLink ? house.directory + "/other" : house.socket
            try write("mine", to: file)
            if isLink { symlink(file, house.socket) }
            let end = await (try house.launch()).end()
            #expect(end.status == 1)
            #expect(end.errors.contains(house.socket), "\(end.errors)")
            #expect(text(of: file) == "mine")
        }
    }

    @Test("users.md 119: without any directory to live in it says what to do") func noPlace() async throws {
        try await House.with(World(strips: 0, timing: .fast), startsDaemon: false) { house in
            let long = "/" + String(repeating: "x", count: 120)
            let end = await
                (try house.start("stripd", ["--socket", long, "--state", house.state, "--bus", house.bus.address]))
                .end()
            #expect(end.status == 1)
            #expect(end.errors.contains(long))
        }
    }

    @Test(
        "what is wrong on its command line",
        arguments: [
            (["--nosuch"], "--nosuch"), (["--adapter", "wlan0"], "\"wlan0\""), (["--keep-link", "-1"], "\"-1\""),
            (["--keep-link", "soon"], "\"soon\""), (["--log-level", "loud"], "\"loud\""),
            (["--simulate", "0"], "--simulate"),
            (["--simulate", "2", "--bus", "unix:path=/x"], "--bus"), (["extra"], "extra"),
        ])
    func usage(arguments: [String], word: String) async throws {
        try await House.with(World(strips: 0, timing: .fast), startsDaemon: false) { house in
            let end = await (try house.start("stripd", arguments)).end()
            #expect(end.status == 2)
            #expect(end.output == "")
            #expect(end.errors.contains(word), "\(end.errors)")
        }
    }

    @Test("--simulate is the whole product, with strips of its own") func simulate() async throws {
        try await House.with(World(strips: 0, timing: .fast), startsDaemon: false) { house in
            let path = "/usr/bin:/bin"
            let daemon = try await house.start(
                "stripd", ["--socket", house.socket, "--state", house.state, "--simulate", "2"],
                environment: ["PATH": path])
            #expect(await daemon.says("listening on", inErrors: true))
            #expect(try await house.type("color ff8800 ff:ff:38:5b:40:65") == .done)
            #expect(await daemon.says("received 56 ff 88 00 00 f0 aa", inErrors: true))
            await daemon.signal(SIGTERM)
            #expect(await daemon.end().status == 0)
            #expect(!exists(house.socket))
        }
    }
}
