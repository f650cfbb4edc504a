import CommandLineTable
import Testing

@testable import StripServer

@Suite struct PlacesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var socket: String? = nil
        var state: String? = nil
        var environment: [String: String]
        var isRoot = false
        var place: (socket: String, mode: UInt32, state: String)
        var testDescription: String { name }
    }

    static let user = ["XDG_RUNTIME_DIR": "/run/user/1000", "HOME": "/people/ann"]
    static let system = ["RUNTIME_DIRECTORY": "/run/stripd", "STATE_DIRECTORY": "/var/lib/stripd"]

    static let cases: [Case] = [
        Case(
            name: "a user's shell", environment: user,
            place: ("/run/user/1000/stripd.sock", 0o600, "/people/ann/.local/state/stripd")),
        Case(
            name: "XDG_STATE_HOME", environment: user.merging(["XDG_STATE_HOME": "/data"]) { $1 },
            place: ("/run/user/1000/stripd.sock", 0o600, "/data/stripd")),
        Case(
            name: "a relative XDG_STATE_HOME counts as none",
            environment: user.merging(["XDG_STATE_HOME": "data"]) { $1 },
            place: ("/run/user/1000/stripd.sock", 0o600, "/people/ann/.local/state/stripd")),
        Case(
            name: "the system's unit, as a user of its own", environment: system,
            place: ("/run/stripd/stripd.sock", 0o666, "/var/lib/stripd")),
        Case(
            name: "the first of several directories",
            environment: ["RUNTIME_DIRECTORY": "/run/stripd:/run/x", "STATE_DIRECTORY": "/var/lib/stripd:/var/lib/x"],
            place: ("/run/stripd/stripd.sock", 0o666, "/var/lib/stripd")),
        Case(
            name: "root, from a shell", environment: ["HOME": "/superuser", "XDG_RUNTIME_DIR": "/run/user/0"],
            isRoot: true,
            place: ("/run/stripd/stripd.sock", 0o666, "/var/lib/stripd")),
        Case(
            name: "options count before everything", socket: "/tmp/s", state: "here", environment: system,
            place: ("/tmp/s", 0o600, "here")),
        Case(
            name: "options of root", socket: "/tmp/s", state: "/tmp/state", environment: [:], isRoot: true,
            place: ("/tmp/s", 0o666, "/tmp/state")),
        Case(
            name: "empty variables count as none",
            environment: user.merging(["RUNTIME_DIRECTORY": "", "STATE_DIRECTORY": "", "XDG_STATE_HOME": ""]) { $1 },
            place: ("/run/user/1000/stripd.sock", 0o600, "/people/ann/.local/state/stripd")),
    ]

    @Test(arguments: cases) func thePlaceIs(_ example: Case) throws {
        let places = try Places(
            options: try Options(socket: example.socket, state: example.state), environment: example.environment,
            isRoot: example.isRoot)
        #expect(places.socket == example.place.socket)
        #expect(places.socketMode == example.place.mode)
        #expect(places.stateDirectory == example.place.state)
    }

    @Test func onlyTheSystemsOwnDirectoryIsCreated() throws {
        let options = try Options(socket: nil, state: nil)
        #expect(try Places(options: options, environment: [:], isRoot: true).createsSocketDirectory)
        #expect(try !Places(options: options, environment: Self.user, isRoot: false).createsSocketDirectory)
        #expect(try !Places(options: options, environment: Self.system, isRoot: true).createsSocketDirectory)
    }

    @Test func withoutAPlaceTheOptionIsNamed() throws {
        let options = try Options(socket: nil, state: nil)
        #expect(
            throws: PlaceError("there is no XDG_RUNTIME_DIR to listen in; say where with --socket PATH")
        ) { try Places(options: options, environment: ["HOME": "/people/ann"], isRoot: false) }
        #expect(throws: PlaceError("there is no HOME to keep the known strips in; say where with --state DIR")) {
            try Places(options: options, environment: ["XDG_RUNTIME_DIR": "/run/user/1000"], isRoot: false)
        }
    }
}

extension Options {
    fileprivate init(socket: String?, state: String?) throws {
        try self.init(try Options.program.parse([]))
        (self.socket, self.state) = (socket, state)
    }
}
