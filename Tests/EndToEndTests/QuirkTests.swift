import DBus
import Testing
import VirtualBlueZ

/// Strips that differ from the others.
@Suite struct QuirkTests {
    @Test(
        "users.md 53: written the way that the strip's flags allow",
        arguments: [
            (.requestAndCommand, .request), (.requestOnly, .request), (.commandOnly, .command),
        ] as [(StripDescription.WriteFlags, ReceivedFrame.WriteType)])
    func writeTypes(flags: StripDescription.WriteFlags, type: ReceivedFrame.WriteType) async throws {
        try await House.withDesk {
            $0.writeFlags = flags
        } _: { house async throws in
            #expect(try await house.type("color ff8800 desk") == .done)
            let received = await house.bluez.received(by: 0)
            #expect(received.map(\.description).prefix(2) == [Frames.on, Frames.orange])
            #expect(received.allSatisfy { $0.type == type && !$0.ignored })
            #expect(await house.bluez.shownColor(of: 0) == LightSwatch(red: 255, green: 136, blue: 0))
        }
    }

    @Test("both layouts of services", arguments: [StripDescription.Layout.ffd, .ffe])
    func layouts(layout: StripDescription.Layout) async throws {
        try await House.withDesk {
            $0.layout = layout
        } _: { house in
            #expect(try await house.type("color ff8800 desk") == .done)
            #expect(await house.frames() == [Frames.on, Frames.orange])
            try await house.until { $0["certainty"]["light"]["is"] == "reported" }
            #expect(try await house.type("off desk") == .done)
            #expect(await house.bluez.state(of: 0).on == false)
        }
    }

    @Test("users.md 53: a strip that obeys power on request only") func powerOnRequest() async throws {
        try await House.withDesk {
            $0.quirks = [.powerRequest]
            $0.state.on = false
        } _: { house async throws in
            #expect(try await house.type("color ff8800 desk") == .done)
            #expect(await house.bluez.shownColor(of: 0) == LightSwatch(red: 255, green: 136, blue: 0))
            #expect(try await house.type("off desk") == .done)
            #expect(await house.bluez.state(of: 0).on == false)
        }
    }

    @Test("users.md 65: a strip that acknowledges power is believed at once") func powerAcknowledged() async throws {
        try await House.withDesk {
            $0.quirks = [.powerAck]
        } _: { house in
            try await house.type("refresh desk")
            #expect(try await house.type("off desk") == .done)
            try await house.until { $0["on"] == false && $0["certainty"]["power"]["is"] == "reported" }
        }
    }

    @Test("a strip that never reports works blind, and nothing is called reported") func mute() async throws {
        try await House.withDesk {
            $0.quirks = [.statusMute]
        } _: { house in
            for verb in ["color ff8800", "brightness 50", "off", "on", "effect 37"] {
                #expect(try await house.type("\(verb) desk") == .done, "\(verb)")
            }
            #expect(
                await house.frames() == [
                    Frames.on, Frames.orange, "56 80 44 00 00 f0 aa", Frames.off, Frames.on, "bb 25 10 44",
                ])
            let certainty = try await house.status()["certainty"]
            #expect(certainty["power"]["is"] == "assumed" && certainty["light"]["is"] == "assumed")
        }
    }

    @Test("refresh of a strip that never reports says that it does not answer") func muteRefresh() async throws {
        try await House.withDesk {
            $0.quirks = [.statusMute]
        } _: { house in
            let answer = try await house.type("refresh desk")
            #expect(answer.status == 6)
            #expect(answer.errors.hasPrefix("stripctl: desk: "))
            #expect(await house.bluez.frames(of: 0) == [Frames.query, Frames.query, Frames.query])
            #expect(try await house.status()["certainty"]["power"]["is"] == "unknown")
        }
    }

    @Test("users.md 107: a locked strip is never said to show what it was told") func locked() async throws {
        try await House.withDesk {
            $0.quirks = [.locked]
        } _: { house in
            let answer = try await house.type("color ff8800 desk --json")
            #expect(answer.status == 0)
            #expect(answer.json["strip"]["certainty"]["light"]["is"] == "assumed")
            await house.bluez.frames(of: 0, atLeast: 5)  // three queries, and it is given up
            let certainty = try await house.status()["certainty"]
            #expect(certainty["power"]["is"] == "assumed" && certainty["light"]["is"] == "assumed")
        }
    }

    @Test("a lying strip is repaired once, and then shown as it says") func lying() async throws {
        try await House.withDesk {
            $0.quirks = [.lie]
        } _: { house in
            #expect(try await house.type("color ff8800 desk") == .done)
            try await house.until { $0["certainty"]["light"]["is"] == "reported" }
            let status = try await house.status()
            #expect(status["color"] == "88ff00")
            #expect(status["on"] == true)
            #expect(await house.frames() == [Frames.on, Frames.orange, Frames.on, Frames.orange])
            let types = await house.bluez.received(by: 0).filter { $0.description == Frames.orange }.map(\.type)
            #expect(types == [.request, .command], "the repair tries the other way of writing")
        }
    }

    @Test("users.md 96: a strip whose status lags does not make the light flicker in what is shown") func lag()
        async throws
    {
        try await House.withDesk {
            $0.lag = .milliseconds(1000)
        } _: { house in
            try await house.type("refresh desk")
            #expect(try await house.type("off desk") == .done)
            let watch = try await house.begin("watch desk --json")
            let end = await watch.line { $0.contains(#""power":{"at":"20"#) && $0.contains(#"Z","is":"reported"}}"#) }
            #expect(end != nil)
            let shown = await watch.soFar.output.split(separator: "\n")
            #expect(shown.allSatisfy { $0.contains(#""on":false"#) }, "\(shown)")
            #expect(await house.frames() == [Frames.off])
        }
    }

    @Test("users.md 63, 64: garbled reports change nothing and hurt nobody") func garbledReports() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("color ff8800 desk")
            try await house.until { $0["certainty"]["light"]["is"] == "reported" }
            for bytes: [UInt8] in [
                [], [0x66], [0x66, 0x15, 0x23], [0x66] + Array(repeating: 0, count: 11),
                [0x67, 0x15, 0x24, 0x41, 0x20, 0x10, 1, 2, 3, 0, 6, 0x99],
                [0x66, 0x15, 0x24, 0x41, 0x20, 0x10, 1, 2, 3, 0, 6, 0x98], Array(repeating: 0x66, count: 20),
                [0x66, 0x15, 0x24, 0x41, 0x20, 0x10, 1, 2, 3, 0, 6, 0x99, 0],
            ] { await house.bluez.notify(0, bytes) }
            // A good one behind them, so that all have been read.
            await house.bluez.notify(0, [0x66, 0x04, 0x23, 0x41, 0x20, 0x10, 0xFF, 0x88, 0, 0, 3, 0x99])
            try await house.until { $0["model"] == "0x04" }
            let status = try await house.status()
            #expect(status["on"] == true)
            #expect(status["color"] == "ff8800")
            let log = await house.log
            #expect(log.split(separator: "ignored a report").count == 2, "it is said once a link: \(log)")
        }
    }

    @Test("users.md 63: a power byte that is neither on nor off is unknown") func oddPower() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("refresh desk")
            await house.bluez.notify(0, [0x66, 0x04, 0x00, 0x41, 0x20, 0x10, 0xFF, 0x88, 0, 0, 3, 0x99])
            try await house.until { $0["on"] == nil && $0["certainty"]["power"]["is"] == "unknown" }
        }
    }

    @Test("users.md 62: two at once ask, one report answers both") func twoQuestions() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            async let one = house.type("refresh desk")
            async let two = house.type("refresh desk")
            #expect(try await [one, two] == [.done, .done])
        }
    }
}
