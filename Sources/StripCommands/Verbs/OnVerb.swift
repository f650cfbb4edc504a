// `stripctl on`, `off` and `toggle`.

import CommandLineTable
import StripAPI
import StripModel

enum OnVerb {
    static let on = Command(
        verb: Verb(
            "on", group: "Light", summary: "Switch on, as it was",
            explanation: ["The strip shows what it showed when it was switched off."], arguments: [Arguments.targets],
            examples: [
                Example("stripctl on", "The default strip."), Example("stripctl on all", "Every strip that is known."),
            ]),
        run: { call in try call.change(StripChange(on: true), of: call.targets) })

    static let off = Command(
        verb: Verb(
            "off", group: "Light", summary: "Switch off",
            explanation: ["The strip keeps its colour; on brings it back."], arguments: [Arguments.targets],
            examples: [
                Example("stripctl off desk", "The strip called desk."),
                Example("stripctl off --no-wait all", "Do not wait until all have it."),
            ]),
        run: { call in try call.change(StripChange(on: false), of: call.targets) })

    static let toggle = Command(
        verb: Verb(
            "toggle", group: "Light", summary: "Off if it is on, on if it is off",
            explanation: [
                "If the daemon is not sure, it asks the strip first. Several strips go off if any of them is on."
            ],
            arguments: [Arguments.targets], examples: [Example("stripctl toggle desk", "For a key on the keyboard.")]),
        run: { call in try call.act(.toggle, on: call.targets) })
}
