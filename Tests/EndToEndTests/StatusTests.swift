import Testing
import VirtualBlueZ

/// `stripctl list` and `status`: what is known, how well, and in which shape.
@Suite struct StatusTests {
    @Test("users.md 123: every member is there, unknown ones are null, and looking connects to nothing")
    func aStripThatWasNeverTold() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let answer = try await house.type("status desk --json")
            #expect(
                answer
                    == ProgramResult(
                        status: 0,
                        output:
                            #"{"adapter":null,"alias":"desk","available":null,"brightness":null,"cause":null,"certainty":{"light":{"at":null,"is":"unknown"},"power":{"at":null,"is":"unknown"}},"color":null,"default":false,"effect":null,"id":"ff:ff:38:5b:40:65","link":"idle","model":null,"name":null,"on":null,"pending":false,"rssi":null,"speed":null,"white":null}"#
                            + "\n", errors: ""))
            #expect(
                try await house.type("status").output == """
                    NAME  POWER  LIGHT  LEVEL  LINK  CERTAINTY
                    desk  ?      ?      ?      idle  unknown

                    """)
            #expect(await house.bluez.recordedCalls("Connect", "StartDiscovery").isEmpty)
        }
    }

    @Test("users.md 132, 133: assumed once it is written, reported once the strip says so") func certainty()
        async throws
    {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let answer = try await house.type("color ff8800 desk --json").json
            #expect(answer.names == ["notes", "outcome", "strip"])
            #expect(answer["outcome"] == "written")
            #expect(answer["strip"]["on"] == true)
            #expect(answer["strip"]["certainty"]["power"]["is"] == "assumed")
            #expect(answer["strip"]["certainty"]["light"]["is"] == "assumed")
            try await house.until { $0["certainty"]["light"]["is"] == "reported" }
            let status = try await house.status()
            for (member, value) in [
                ("on", true), ("color", "ff8800"), ("brightness", 100), ("white", nil), ("effect", nil),
                ("available", true), ("link", "ready"), ("cause", nil), ("model", "0x15"), ("adapter", "hci0"),
                ("pending", false), ("name", "Triones-FFFF385B4065"),
            ] as [(String, JSON)] {
                #expect(status[member] == value, "\(member)")
            }
            #expect(status["certainty"]["power"]["at"].text.hasSuffix("Z"))
            let table = try await house.type("status").output
            #expect(
                table.hasPrefix(
                    "NAME  POWER  LIGHT   LEVEL  LINK   CERTAINTY\ndesk  on     ff8800  100 %  ready  reported "))
        }
    }

    @Test func theListOfStrips() async throws {
        try await House.with(strips: 2, adopted: ["desk", "shelf"]) { house in
            try await house.type("default shelf")
            try await house.type("refresh all")
            let list = try await house.type("list").output
            #expect(
                list == """
                      NAME   ADDRESS            MODEL NAME            IN REACH  SIGNAL  ADAPTER
                      desk   ff:ff:38:5b:40:65  Triones-FFFF385B4065  yes               hci0
                    * shelf  ff:ff:38:5b:40:66  Triones-FFFF385B4066  yes               hci0

                    """)
            let strips = try await house.type("list --json").json["strips"]
            #expect(strips.items.map { $0["alias"] } == ["desk", "shelf"])
            #expect(strips.items.map { $0["default"] } == [false, true])
        }
    }

    @Test func noStripIsKnown() async throws {
        try await House.with(strips: 1) { house async throws in
            #expect(try await house.type("list") == .done)
            #expect(try await house.type("status") == .done)
            #expect(try await house.type("list --json").output == "{\"strips\":[]}\n")
            #expect(await house.bluez.recordedCalls("Connect", "StartDiscovery").isEmpty)
        }
    }

    @Test func aNameFromTheAirCannotDriveTheTerminal() async throws {
        try await House.withDesk {
            $0.name = "Triones-\u{1B}[31m\u{202E}evil\nline"
        } _: { house in
            try await house.type("refresh desk")
            let answer = try await house.type("list")
            #expect(answer.output.contains("Triones-\u{FFFD}[31m\u{FFFD}evil\u{FFFD}line"), "\(answer.output)")
            let scan = try await house.type("scan --seconds 1 --all")
            #expect(!scan.output.contains("\u{1B}"))
        }
    }

    @Test("users.md 24: two strips that advertise one name are told apart by address only") func namesakes()
        async throws
    {
        var strips = (0..<2).map { StripDescription(index: $0) }
        for index in 0..<2 { strips[index].name = "Triones-1" }
        try await House.with(World(strips: strips, timing: .fast), adopted: ["desk", "shelf"]) { house in
            #expect(try await house.type("refresh all") == .done)
            let answer = try await house.type("on Triones-1")
            #expect(answer.status == 3)
            #expect(answer.errors.contains("ff:ff:38:5b:40:65") && answer.errors.contains("ff:ff:38:5b:40:66"))
            for index in 0..<2 { #expect(await house.frames(of: index) == []) }
        }
    }
}
