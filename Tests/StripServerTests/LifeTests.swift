import EventLoop
import Glibc
import HTTPServer
import StripAPI
import Testing

@testable import StripServer

/// The program from its start to its end.
@Suite struct LifeTests {
    private func onLoop(_ body: @Sendable (EventLoop) async throws -> Void) async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        try await body(loop)
    }

    static let ownPlaces = ["--socket", "DIR/stripd.sock", "--state", "DIR/state"]

    @Test func aSimulationIsQuietAtStartAndAtStop() async throws {
        try await onLoop { loop in
            let daemon = try DaemonProcess(["--simulate", "1"] + Self.ownPlaces, on: loop)
            let place = daemon.directory
            #expect(
                await daemon.lines(upTo: "strips are reached") == [
                    "stripd: listening on \(place)/stripd.sock, strips kept in \(place)/state",
                    "stripd: strips are reached through hci0",
                ])
            daemon.signal(SIGTERM)
            let end = await daemon.end()
            #expect(end.status == 0)
            #expect(end.lines == ["stripd: stopping: got signal 15", "stripd: stopped"])
            #expect(access(daemon.socket, F_OK) != 0, "the socket is gone")
        }
    }

    @Test func whatASimulatedStripReceivesIsLogged() async throws {
        try await onLoop { loop in
            let daemon = try DaemonProcess(["--simulate", "1"] + Self.ownPlaces, on: loop)
            _ = await daemon.lines(upTo: "strips are reached")
            let client = StripClient(socket: daemon.socket)
            _ = try client.send(Request(.change, ["ff:ff:38:5b:40:65"], body: #"{"color":"ff8800"}"#), seconds: 20)
            let lines = await daemon.lines(upTo: "56 ff 88")
            #expect(lines.last == "stripd: strip ff:ff:38:5b:40:65 received 56 ff 88 00 00 f0 aa (request)")
            let uid = geteuid()
            let pid = getpid()
            #expect(
                lines.contains(
                    "stripd: uid \(uid) pid \(pid) set ff:ff:38:5b:40:65 {\"color\":\"ff8800\"}: accepted"))
            daemon.signal(SIGINT)
            #expect(await daemon.end().status == 0)
        }
    }

    @Test func systemdIsToldOnceTheAPIListensAndBlueZWasAsked() async throws {
        try await onLoop { loop in
            let place = try temporaryDirectory()
            defer { removeTree(place) }
            let notify = try NotifySocket(at: place + "/notify", on: loop)
            let daemon = try DaemonProcess(
                ["--simulate", "1"] + Self.ownPlaces, environment: ["NOTIFY_SOCKET": notify.path], on: loop)
            var messages = notify.messages.makeAsyncIterator()
            #expect(await messages.next() == "READY=1\nSTATUS=serving \(daemon.socket)")
            let health = try StripClient(socket: daemon.socket).send(Request(.health), seconds: 20)
            #expect(String(decoding: health.body, as: UTF8.self).contains(#""bluetooth":"present""#))
            daemon.signal(SIGTERM)
            #expect(await messages.next() == "STOPPING=1")
            #expect(await daemon.end().status == 0)
        }
    }

    @Test("a bus that is not there yet is no reason not to be ready") func aMissingBusIsWaitedFor() async throws {
        try await onLoop { loop in
            let place = try temporaryDirectory()
            defer { removeTree(place) }
            let notify = try NotifySocket(at: place + "/notify", on: loop)
            let daemon = try DaemonProcess(
                ["--bus", "unix:path=DIR/no-bus"] + Self.ownPlaces, environment: ["NOTIFY_SOCKET": notify.path],
                on: loop
            )
            var messages = notify.messages.makeAsyncIterator()
            #expect(await messages.next() == "READY=1\nSTATUS=serving \(daemon.socket)")
            #expect(await daemon.lines(upTo: "no strip can be reached").count == 2)
            daemon.signal(SIGTERM)
            #expect(await daemon.end().lines == ["stripd: stopping: got signal 15", "stripd: stopped"])
        }
    }

    /// Arguments, environment, exit status, and the last line.
    static let failures: [([String], [String: String], Int32, String)] = [
        (
            ["--bus", "nonsense"], [:], 2,
            "--bus: \"nonsense\" is no bus address; accepted: unix:path=/run/dbus/system_bus_socket and its like"
        ),
        (
            ownPlaces, ["DBUS_SYSTEM_BUS_ADDRESS": "nonsense"], 1,
            "stripd: DBUS_SYSTEM_BUS_ADDRESS: \"nonsense\" is no bus address; accepted: unix:path=/run/dbus/system_bus_socket"
        ),
        (
            ["--socket", "/nonexistent/stripd.sock", "--state", "DIR"], [:], 1,
            "stripd: the directory /nonexistent does not exist; create it first"
        ),
        (
            ["--socket", "DIR/state", "--state", "DIR/state"], [:], 1,
            "state is not a socket; move it away or choose another path"
        ),
    ]

    @Test(arguments: failures) func whatKeepsItFromStartingIsSaid(
        _ arguments: [String], _ environment: [String: String], _ status: Int32, _ line: String
    ) async throws {
        try await onLoop { loop in
            let daemon = try DaemonProcess(arguments, environment: environment, on: loop)
            let end = await daemon.end()
            #expect(end.status == status)
            #expect(end.lines.contains { $0.hasSuffix(line) }, "\(end.lines)")
            #expect(end.lines.count <= 3)
        }
    }

    @Test func aSecondDaemonLeavesTheFirstAlone() async throws {
        try await onLoop { loop in
            let first = try DaemonProcess(["--simulate", "1"] + Self.ownPlaces, on: loop)
            _ = await first.lines(upTo: "listening")
            let second = try DaemonProcess(
                ["--simulate", "1", "--socket", first.socket, "--state", "DIR/state"], on: loop)
            let end = await second.end()
            #expect(end.status == 1)
            #expect(
                end.lines == [
                    "stripd: another daemon listens on \(first.socket); stop that one, or give this one another place"
                ])
            #expect(try StripClient(socket: first.socket).send(Request(.health), seconds: 20).status == 200)
            first.signal(SIGTERM)
            #expect(await first.end().status == 0)
        }
    }

    @Test("users.md 150: a state directory that cannot be made is said, and the light works")
    func aStateDirectoryThatCannotBeMade() async throws {
        try await onLoop { loop in
            let daemon = try DaemonProcess(
                ["--simulate", "1", "--socket", "DIR/stripd.sock", "--state", "/dev/null/state"], on: loop)
            let lines = await daemon.lines(upTo: "listening")
            #expect(
                lines.first
                    == "stripd: /dev/null/state cannot be made: Not a directory; the known strips will not be kept")
            let health = try StripClient(socket: daemon.socket).send(Request(.health), seconds: 20)
            #expect(String(decoding: health.body, as: UTF8.self).contains(#""status":"degraded""#))
            daemon.signal(SIGTERM)
            #expect(await daemon.end().status == 0)
        }
    }
}
