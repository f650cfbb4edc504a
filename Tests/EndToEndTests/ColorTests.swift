import Testing
import VirtualBlueZ

/// `stripctl color` in every spelling, and the same over REST.
@Suite struct ColorTests {
    private static let spellings = [
        ("ff8800", "56 ff 88 00 00 f0 aa"), ("FF8800", "56 ff 88 00 00 f0 aa"), ("'#ff8800'", "56 ff 88 00 00 f0 aa"),
        ("0xff8800", "56 ff 88 00 00 f0 aa"), ("f80", "56 ff 88 00 00 f0 aa"), ("'#f80'", "56 ff 88 00 00 f0 aa"),
        ("'rgb(255,136,0)'", "56 ff 88 00 00 f0 aa"), ("'RGB( 255 , 136 , 0 )'", "56 ff 88 00 00 f0 aa"),
        ("255,136,0", "56 ff 88 00 00 f0 aa"), ("255 136 0", "56 ff 88 00 00 f0 aa"),
        ("'255 136 0'", "56 ff 88 00 00 f0 aa"), ("'hsv(32,100,100)'", "56 ff 88 00 00 f0 aa"),
        ("'hsl(32,100%,50%)'", "56 ff 88 00 00 f0 aa"), ("darkorange", "56 ff 8c 00 00 f0 aa"),
        ("'Dark Orange'", "56 ff 8c 00 00 f0 aa"), ("bed", "56 bb ee dd 00 f0 aa"), ("facade", "56 fa ca de 00 f0 aa"),
        ("tan", "56 d2 b4 8c 00 f0 aa"), ("000000", "56 00 00 00 00 f0 aa"), ("808080", "56 80 80 80 00 f0 aa"),
        ("ffffff", "56 ff ff ff 00 f0 aa"),
    ]

    @Test("users.md 75, 76, 78, 86, 88: every spelling of a colour ends in the same bytes")
    func spellings() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house async throws in
            for (text, frame) in Self.spellings {
                #expect(try await house.type("color \(text) desk") == .done, "\(text)")
                #expect(await house.lights().last == frame, "\(text)")
            }
            #expect(await house.lights().count == Self.spellings.count)
        }
    }

    @Test("users.md 76, 86: REST takes the same spellings") func overREST() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            for (text, frame) in Self.spellings where text != "255 136 0" {
                let plain = text.filter { $0 != "'" }
                let reply = try await house.http("PATCH /v1/strips/desk?dry_run=1", #"{"color":"\#(plain)"}"#)
                #expect(reply.status == 200, "\(text)")
                #expect(reply.json["frames"].items.last?.text == frame, "\(text)")
            }
        }
    }

    @Test("users.md 90: kelvin in three spellings, and warmer is less blue") func kelvin() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            var frames: Set<String> = []
            for text in ["2700K", "2700k", "kelvin 2700"] {
                #expect(try await house.type("color \(text) desk") == .done)
                frames.insert(await house.lights().last ?? "")
            }
            #expect(frames.count == 1)
            var blues: [Int] = []
            for kelvin in [2000, 2700, 4000, 6500] {
                try await house.type("color \(kelvin)K desk")
                let blue = await house.lights().last?.split(separator: " ")[3] ?? ""
                blues.append(Int(blue, radix: 16) ?? -1)
            }
            #expect(blues == blues.sorted() && Set(blues).count == 4, "\(blues)")
        }
    }

    @Test(
        "users.md 77, 90: what is no colour is refused with its text, and nothing is written",
        arguments: [
            "gg8800", "ff88", "ff880", "ff88000", "256,0,0", "1e2,0,0", "ff8800xyz", "ｆｆ８８００", "rgb(1,2)",
            "notacolor", "0K", "1K", "100000K", "2700", "hsv(361,0,0)", "#", "0x", "1,2,3,4",
        ])
    func noColour(text: String) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let answer = try await house.stripctl(["color", text, "desk"])
            #expect(answer.status == 2)
            #expect(answer.output == "")
            #expect(answer.errors.contains("\"\(text)\""), "\(answer.errors)")
            let reply = try await house.http("PATCH /v1/strips/desk", #"{"color":"\#(text)"}"#)
            #expect(reply.status == 422)
            #expect(reply.json["detail"].text.contains("\"\(text)\""), "\(reply.body)")
            #expect(await house.bluez.recordedCalls("Connect").isEmpty)
        }
    }

    @Test("users.md 77: an empty colour, one below nought, and a NUL within one") func oddColours() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            #expect(try await house.stripctl(["color", "", "desk"]).status == 2)
            #expect(try await house.stripctl(["color", "-1,0,0", "desk"]).status == 2)
            let reply = try await house.http("PATCH /v1/strips/desk", #"{"color":"ff88\u000000"}"#)
            #expect(reply.status == 422)
            #expect(await house.bluez.recordedCalls("Connect").isEmpty)
        }
    }

    @Test("users.md 74: a colour that the shell took for a comment") func noColourAtAll() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            let answer = try await house.type("color")
            #expect(answer.status == 2)
            #expect(answer.errors.contains("Quote it, or leave out the '#'"), "\(answer.errors)")
        }
    }

    @Test(
        "users.md 81: brightness goes with a colour, and no channel vanishes",
        arguments: [
            ("50", "56 80 44 00 00 f0 aa"), ("50%", "56 80 44 00 00 f0 aa"), ("1", "56 03 01 00 00 f0 aa"),
            ("100", "56 ff 88 00 00 f0 aa"),
        ])
    func withBrightness(percent: String, frame: String) async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            #expect(try await house.type("color ff8800 desk --brightness \(percent)") == .done)
            #expect(await house.frames() == [Frames.on, frame])
            let status = try await house.status()
            #expect(status["color"] == "ff8800")
            #expect(status["brightness"] == .number(percent == "50%" ? 50 : Double(percent) ?? 0))
        }
    }

    @Test("users.md 93: a colour switches on, --keep-power does not") func keepPower() async throws {
        try await House.with(strips: 1, adopted: ["desk"]) { house in
            try await house.type("off desk")
            #expect(try await house.type("color ff0000 desk --keep-power") == .done)
            #expect(await house.frames() == [Frames.off, "56 ff 00 00 00 f0 aa"])
            #expect(try await house.status()["on"] == false)
            #expect(await house.bluez.state(of: 0).on == false)
            try await house.type("color ff8800 desk")
            #expect(await house.bluez.state(of: 0).on == true)
            #expect(try await house.status()["on"] == true)
        }
    }
}
