import DBus
import Testing
import VirtualBlueZ

/// `stripctl scan` and what comes of what is in the air.
@Suite struct ScanTests {
    /// Two strips, a strip of another family, headphones, and a neighbour without a name.
    private static let street: World = {
        var blue = StripDescription(address: "AA:00:00:00:00:01", name: "LEDBlue-0001")
        blue.rssi = -40
        var other = StripDescription(address: "AA:00:00:00:00:02", name: "LEDnetWF010033")
        other.rssi = -45
        var headphones = StripDescription(address: "AA:00:00:00:00:03", name: "Headphones")
        headphones.layout = .other
        headphones.rssi = -70
        var nameless = StripDescription(address: "AA:00:00:00:00:04", name: nil)
        nameless.rssi = -80
        return World(
            strips: [StripDescription(index: 0), blue, other, headphones, nameless], timing: .fast)
    }()

    @Test("users.md 22, 24: the strongest first, nameless neighbours among them, no other protocol")
    func aScanListsTheStreet() async throws {
        try await House.with(Self.street, adopted: ["desk"]) { house async throws in
            #expect(
                try await house.type("scan --seconds 1")
                    == ProgramResult(
                        status: 0,
                        output: """
                            ADDRESS            NAME                  SIGNAL   VERDICT  ADOPTED
                            aa:00:00:00:00:01  LEDBlue-0001          -40 dBm  strip    no
                            ff:ff:38:5b:40:65  Triones-FFFF385B4065  -52 dBm  strip    yes, desk
                            aa:00:00:00:00:03  Headphones            -70 dBm  maybe    no
                            aa:00:00:00:00:04  -                     -80 dBm  maybe    no

                            """, errors: ""))
        }
    }

    @Test("users.md 19, 26: --all shows what speaks another protocol as well")
    func aScanForAll() async throws {
        try await House.with(Self.street) { house in
            let answer = try await house.type("scan --seconds 1 --all")
            #expect(answer.status == 0)
            #expect(answer.output.contains("aa:00:00:00:00:02  LEDnetWF010033        -45 dBm  other    no\n"))
        }
    }

    @Test func aScanAsJSONHasEveryMember() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            #expect(
                try await house.type("scan --seconds 1 --json").output
                    == #"{"found":[{"adapter":"hci0","address":"ff:ff:38:5b:40:65","alias":"desk","known":true,"name":"Triones-FFFF385B4065","rssi":-52,"verdict":"strip"}]}"#
                    + "\n")
        }
    }

    @Test("users.md 17, 18: the filter comes before discovery, says LE, and no service")
    func theFilter() async throws {
        try await House.with(strips: 1) { house in
            try await house.type("scan --seconds 1")
            let calls = await house.bluez.recordedCalls("SetDiscoveryFilter", "StartDiscovery", "StopDiscovery")
            #expect(calls.map(\.member) == ["SetDiscoveryFilter", "StartDiscovery", "StopDiscovery"])
            let filter = String(describing: calls.first?.arguments ?? [])
            #expect(filter.contains("Transport") && filter.contains("le"))
            #expect(!filter.contains("UUIDs"))
        }
    }

    @Test("users.md 1: a scan with the adapter off says so and ends with 8")
    func theAdapterIsOff() async throws {
        try await House.with(strips: 1) { house in
            await house.bluez.setPowered(adapter: 0, false)
            let answer = try await house.type("scan --seconds 1")
            #expect(answer.status == 8)
            #expect(answer.output == "")
            #expect(
                answer.errors
                    == "stripctl: The Bluetooth adapter is off: switch it on with bluetoothctl power on, or unblock it with rfkill.\n"
            )
        }
    }

    @Test("users.md 4: an adapter that goes off in mid-scan leaves what was heard, and the next scan is clean")
    func theAdapterGoesOffMeanwhile() async throws {
        try await House.with(strips: 1) { house in
            let scan = try await house.begin("scan --seconds 2 --json")
            await house.bluez.wait(forCalls: "StartDiscovery")
            await house.bluez.setPowered(adapter: 0, false)
            #expect(await scan.end().status == 0)
            await house.bluez.setPowered(adapter: 0, true)
            #expect(
                try await house.type("scan --seconds 1 --json").json["found"][0]["address"] == "ff:ff:38:5b:40:65")
        }
    }

    @Test("users.md 20: discovery that is always in progress neither hangs nor crashes a scan")
    func discoveryIsStuck() async throws {
        try await House.with(strips: 1) { house in
            await house.bluez.failNext(
                "StartDiscovery",
                with: BusError(name: "org.bluez.Error.InProgress", message: "Operation already in progress"),
                times: 1000)
            let answer = try await house.type("scan --seconds 1")
            #expect(answer.status == 0 || answer.status == 1)
        }
    }

    @Test("users.md 21: a StopDiscovery that fails takes nothing away")
    func stoppingFails() async throws {
        try await House.with(strips: 1) { house in
            await house.bluez.failNext(
                "StopDiscovery", with: BusError(name: "org.bluez.Error.Failed", message: "No discovery started"))
            let answer = try await house.type("scan --seconds 1 --json")
            #expect(answer.status == 0)
            #expect(answer.json["found"][0]["address"] == "ff:ff:38:5b:40:65")
        }
    }

    @Test(arguments: ["0", "61", "-1", "x", "1.5"]) func aDurationThatIsNone(seconds: String) async throws {
        try await House.with(strips: 0) { house async throws in
            #expect(try await house.stripctl(["scan", "--seconds", seconds]).status == 2)
        }
    }
}
