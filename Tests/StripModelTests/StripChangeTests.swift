import FoundationEssentials
import StripModel
import Testing

/// Changes as JSON: what is taken, and what each refusal says.
@Suite struct StripChangeTests {
    @Test(
        "A change means what its JSON says",
        arguments: [
            (#"{"on": true}"#, StripChange(on: true)),
            (#"{"on": false}"#, StripChange(on: false)),
            (#"{"color": "ff8800"}"#, StripChange(color: orange)),
            (##"{"color": "#F80"}"##, StripChange(color: orange)),
            (
                #"{"color": "rgb(255,136,0)", "brightness": 50}"#,
                StripChange(color: orange, brightness: .absolute(half))
            ),
            (#"{"brightness": "50"}"#, StripChange(brightness: .absolute(half))),
            (#"{"brightness": "50%"}"#, StripChange(brightness: .absolute(half))),
            (#"{"brightness": "-10"}"#, StripChange(brightness: .relative(-10))),
            (#"{"white": 50, "white_channel": true}"#, StripChange(white: .absolute(half), channel: true)),
            (#"{"effect": "red-strobe", "speed": 50}"#, StripChange(effect: .run(redStrobe), speed: .absolute(half))),
            (#"{"effect": 49}"#, StripChange(effect: .run(redStrobe))),
            (#"{"effect": null}"#, StripChange(effect: .stop)),
            (#"{"speed": "+5"}"#, StripChange(speed: .relative(5))),
            (
                #"{"on": true, "color": "f80", "keep_power": true, "deadline": 2.5}"#,
                StripChange(on: true, color: orange, keepPower: true, deadline: 2.5)
            ),
            (
                #"{"on": true, "keep_power": false, "white_channel": false, "deadline": 20}"#,
                StripChange(on: true, deadline: 20)
            ),
        ])
    func accepted(json: String, change: StripChange) throws {
        #expect(try StripChange(json: Array(json.utf8)) == change)
        #expect(try JSONDecoder().decode(StripChange.self, from: Data(json.utf8)) == change)
        #expect(try JSONDecoder().decode(StripChange.self, from: JSONEncoder().encode(change)) == change)
    }

    @Test(
        "users.md 132, 142: a bad change is refused with the member, what was found and what is accepted",
        arguments: [
            (#"{}"#, #""{}" changes nothing"#),
            (#"{"deadline": 5}"#, #""{}" changes nothing"#),
            (#"{"keep_power": true}"#, #""{}" changes nothing"#),
            (#"{"colour": "ff8800"}"#, #""colour" is not a member of a change"#),
            (#"{"on": true, "bri": 5}"#, #""bri" is not a member of a change"#),
            (#"{"\u001b[2J": 1}"#, #""\u{1b}[2J" is not a member of a change"#),
            (#"{"transition": 5, "on": true}"#, #""transition" is not available yet"#),
            (#"{"color": "f80", "white": 50}"#, #"white: "color, white" cannot be changed together"#),
            (#"{"color": "f80", "effect": null}"#, #"effect: "color, effect" cannot be changed together"#),
            (
                #"{"white": 5, "effect": "red-strobe", "color": "f80"}"#,
                #"white: "color, white, effect" cannot be changed together"#
            ),
            (#"{"color": "f80", "speed": 5}"#, #""speed" does not go with color: only effects have a speed"#),
            (#"{"on": "true"}"#, #"on: "true" is a string, not a boolean"#),
            (#"{"on": 1}"#, #"on: "1" is a number, not a boolean"#),
            (#"{"on": null}"#, #"on: "null" is not a boolean"#),
            (#"{"on": []}"#, #"on: "[...]" is an array, not a boolean"#),
            (#"{"color": null}"#, #"color: "null" is not a colour in a string"#),
            (#"{"color": 255}"#, #"color: "255" is a number, not a colour in a string"#),
            (#"{"color": {"r": 255}}"#, #"color: "{...}" is an object, not a colour in a string"#),
            (#"{"color": "gg8800"}"#, #"color: "gg8800" is not a colour"#),
            (#"{"color": "ff8800\u0000"}"#, #"color: "ff8800\0" is not a colour"#),
            (#"{"brightness": null}"#, #"brightness: "null" is not a value"#),
            (#"{"brightness": 0}"#, #"brightness: "0" is no level: to switch the light off, use off"#),
            (#"{"brightness": 50.5}"#, #"brightness: "50.5" is not a whole number"#),
            (#"{"brightness": true}"#, #"brightness: "true" is a boolean, not a level"#),
            (#"{"color": "\ud800"}"#, #"color: "..." is text that is not well-formed, not a colour in a string"#),
            ("{\"color\": \"\u{1b}\"}", #"color: "..." is text that is not well-formed, not a colour in a string"#),
            (#"{"brightness": 1e999}"#, #"brightness: "number" is a number out of all range, not a level"#),
            (#"{"brightness": 101}"#, #"brightness: "101" is more than 100"#),
            (#"{"brightness": -10}"#, #"brightness: "-10" is below 1"#),
            (#"{"brightness": 9223372036854775807}"#, #"brightness: "9223372036854775807" is not a level"#),
            (#"{"white": []}"#, #"white: "[...]" is an array, not a level"#),
            (#"{"speed": "fast"}"#, #"speed: "fast" is not a level"#),
            (#"{"effect": "disco"}"#, #"effect: "disco" is not an effect"#),
            (#"{"effect": 57}"#, #"effect: "57" is not the code of an effect"#),
            (#"{"effect": false}"#, #"effect: "false" is a boolean, not an effect"#),
            (#"{"on": true, "deadline": 0}"#, #"deadline: "0.0" is out of range"#),
            (#"{"on": true, "deadline": -1}"#, #"deadline: "-1.0" is out of range"#),
            (#"{"on": true, "deadline": 1e300}"#, #"deadline: "1e+300" is out of range"#),
            (#"{"on": true, "deadline": 1e999}"#, #"deadline: "number" is a number out of all range, not a number"#),
            (#"{"on": true, "deadline": "5"}"#, #"deadline: "5" is a string, not a number"#),
            (#"{"on": true, "keep_power": "yes"}"#, #"keep_power: "yes" is a string, not a boolean"#),
            (#"[]"#, #""[...]" is an array, not a change"#),
            (#""on""#, #""on" is a string, not a change"#),
            (#"null"#, #""null" is null, not a change"#),
            (#"17"#, #""17" is a number, not a change"#),
            (#""#, #""" is not JSON"#),
            (#"{"on": true"#, #""{\"on\": true" is not JSON"#),
            (#"{on: true}"#, #""{on: true}" is not JSON"#),
            (#"{"on": true, "on": false}"#, #""on" is there more than once"#),
            (#"{"on": true, "color": "f80", "o\u006e" : true}"#, #""on" is there more than once"#),
        ])
    func refused(json: String, start: String) {
        let error = #expect(throws: InvalidValue.self) { try StripChange(json: Array(json.utf8)) }
        #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "none")")
        #expect(error?.accepted.isEmpty == false)
    }

    @Test func anUnknownMemberGetsTheNearest() {
        let error = #expect(throws: InvalidValue.self) { try StripChange(json: Array(#"{"colour": "f80"}"#.utf8)) }
        #expect(error?.suggestions == ["color"])
        #expect(error?.member == "colour")
    }

    @Test func textOfAnotherEncodingIsRefused() {
        let utf16 = Array(#"{"on": true}"#.utf8).flatMap { (byte: UInt8) -> [UInt8] in [byte, 0] }
        #expect(throws: InvalidValue.self) { try StripChange(json: utf16) }
        #expect(throws: InvalidValue.self) { try StripChange(json: [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }
    }

    @Test func aMemberInsideAnotherIsNotTakenForARepeatedOne() {
        let error = #expect(throws: InvalidValue.self) {
            try StripChange(json: Array(#"{"on": {"on": 1, "on": 2}}"#.utf8))
        }
        #expect(error?.problem == "is an object, not a boolean")
    }

    @Test func onlyWhatIsAskedIsWritten() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let text = { (change: StripChange) in String(decoding: try encoder.encode(change), as: UTF8.self) }
        #expect(try text(StripChange(on: true)) == #"{"on":true}"#)
        #expect(try text(StripChange(effect: .stop)) == #"{"effect":null}"#)
        #expect(
            try text(
                StripChange(color: orange, brightness: .relative(-10), keepPower: true, channel: true, deadline: 5))
                == #"{"brightness":"-10","color":"ff8800","deadline":5,"keep_power":true,"white_channel":true}"#)
    }

    @Test func deepNestingEndsInARefusal() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: InvalidValue.self) { try StripChange(json: Array((#"{"on": "# + deep).utf8)) }
    }

    @Test(arguments: [
        StripChange(on: true), StripChange(on: false, deadline: 1.5),
        StripChange(color: Color(red: 255, green: 136, blue: 0), brightness: .relative(-10), keepPower: true),
        StripChange(brightness: .relative(10)), StripChange(white: .absolute(.full), channel: true),
        StripChange(effect: .stop), StripChange(speed: .relative(-5)),
    ]) func aChangeWrittenByHandReadsAsItself(_ change: StripChange) throws {
        #expect(try JSONDecoder().decode(StripChange.self, from: Data(change.json.utf8)) == change)
    }

    @Test(arguments: Effect.all) func anEffectWrittenByHandReadsAsItself(_ effect: Effect) throws {
        let change = StripChange(effect: .run(effect), speed: .absolute(.full))
        #expect(try JSONDecoder().decode(StripChange.self, from: Data(change.json.utf8)) == change)
    }
}

private let orange = Color(red: 0xff, green: 0x88, blue: 0x00)
private let half = Percent(clamping: 50)
private let redStrobe = Effect.all[12]
