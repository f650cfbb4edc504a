// `stripctl white`, `brightness` and `speed`: verbs whose value is a level.

import CommandLineTable
import StripModel

private func level(_ name: String, _ meaning: String) -> Argument {
    Argument(name, kind: .number, meaning: meaning, hint: "A whole number from 1 to 100, or a step such as +10 or -10.")
}

enum WhiteVerb {
    private static let percent = level("PCT", "How bright, 1 to 100, or a step: +10, -10")
    private static let channel = Option(
        "channel", meaning: "This strip has white LEDs of their own: use them, now and from now on")

    static let command = Command(
        verb: Verb(
            "white", group: "Light", summary: "Set white, and switch on",
            explanation: [
                "Uses the white LEDs where the strip is known to have them; elsewhere white is mixed from red, green and blue, "
                    + "and the answer says so."
            ],
            arguments: [percent, Arguments.targets], options: [channel],
            examples: [
                Example("stripctl white 60", "At 60 %."),
                Example("stripctl white 100 --channel desk", "The strip called desk has white LEDs."),
            ]),
        run: { call in
            let white = try Level(parsing: call.parsed.value(of: percent) ?? "")
            return try call.change(StripChange(white: white, channel: call.parsed.has(channel)), of: call.targets)
        })
}

enum BrightnessVerb {
    private static let percent = level("PCT", "1 to 100, or a step: +10, -10")

    static let command = Command(
        verb: Verb(
            "brightness", group: "Light", summary: "Dim, or make brighter",
            explanation: [
                "The colour is kept: orange at 1 % and back at 100 % is the same orange. Brightness is never 0; that is off. "
                    + "Effects cannot be dimmed."
            ],
            arguments: [percent, Arguments.targets],
            examples: [
                Example("stripctl brightness 40", "To 40 %."),
                Example("stripctl brightness -10 desk", "10 less than it is."),
            ]),
        run: { call in
            let level = try Level(parsing: call.parsed.value(of: percent) ?? "")
            return try call.change(StripChange(brightness: level), of: call.targets)
        })
}

enum SpeedVerb {
    private static let percent = level("PCT", "1 to 100, 100 is fastest, or a step: +10, -10")

    static let command = Command(
        verb: Verb(
            "speed", group: "Light", summary: "Change the speed of the effect that runs",
            arguments: [percent, Arguments.targets], examples: [Example("stripctl speed 80", "Fast; 100 is fastest.")]),
        run: { call in
            let speed = try Level(parsing: call.parsed.value(of: percent) ?? "")
            return try call.change(StripChange(speed: speed), of: call.targets)
        })
}
