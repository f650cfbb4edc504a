import BlueZ
import DBus
import Testing

@testable import StripCore

/// Where a strip takes commands and reports, in both layouts and with every combination of flags.
@Suite struct EndpointsTests {
    private func characteristic(
        _ path: ObjectPath, _ uuid: String, in service: String, _ flags: Set<String>
    ) -> Characteristic {
        func full(_ short: String) -> String { "0000\(short)-0000-1000-8000-00805f9b34fb" }
        return Characteristic(path: path, device: desk, service: full(service), uuid: full(uuid), flags: flags)
    }

    @Test(
        "The two layouts of the family",
        arguments: [("ffd9", "ffd5", "ffd4", "ffd0"), ("ffe9", "ffe5", "ffe4", "ffe0")])
    func layouts(command: String, commandService: String, status: String, statusService: String) {
        let endpoints = Endpoints(in: [
            characteristic("/status", status, in: statusService, ["read", "notify"]),
            characteristic("/command", command, in: commandService, ["write", "write-without-response"]),
        ])
        #expect(endpoints == Endpoints(write: "/command", writeTypes: .both, report: "/status"))
    }

    @Test(
        "users.md 53: the write types are those of the flags",
        arguments: [
            (["write", "write-without-response"], .both, .request, .command),
            (["write"], .request, .request, .request),
            (["write-without-response"], .command, .command, .command),
            (["read", "write", "notify"], .request, .request, .request),
        ] as [(Set<String>, WriteTypes, WriteType, WriteType)])
    func flags(flags: Set<String>, types: WriteTypes, preferred: WriteType, other: WriteType) {
        let endpoints = Endpoints(in: [characteristic("/command", "ffd9", in: "ffd5", flags)])
        #expect(endpoints?.writeTypes == types)
        #expect(endpoints?.writeTypes.preferred(alternate: false) == preferred)
        #expect(endpoints?.writeTypes.preferred(alternate: true) == other)
    }

    @Test func aStripThatTellsNothingHasNoReport() {
        let command = characteristic("/command", "ffd9", in: "ffd5", ["write"])
        #expect(Endpoints(in: [command])?.report == nil)
        let mute = characteristic("/status", "ffd4", in: "ffd0", ["read"])
        #expect(Endpoints(in: [command, mute])?.report == nil)
    }

    @Test func aCharacteristicThatCannotBeWrittenTakesNoCommands() {
        #expect(Endpoints(in: []) == nil)
        #expect(Endpoints(in: [characteristic("/command", "ffd9", in: "ffd5", ["read", "notify"])]) == nil)
        #expect(Endpoints(in: [characteristic("/name", "2a00", in: "1800", ["read", "write"])]) == nil)
    }

    @Test func aStripWithBothLayoutsIsDrivenByTheFirstThatTakesCommands() {
        let endpoints = Endpoints(in: [
            characteristic("/e9", "ffe9", in: "ffe5", ["write"]),
            characteristic("/e4", "ffe4", in: "ffe0", ["notify"]),
            characteristic("/d9", "ffd9", in: "ffd5", ["read"]),
        ])
        #expect(endpoints == Endpoints(write: "/e9", writeTypes: .request, report: "/e4"))
    }
}
