// `stripctl effect` and `effects`.

import CommandLineTable
import FoundationEssentials
import StripAPI
import StripModel

enum EffectVerb {
    private static let name = Argument(
        "NAME", kind: .effect,
        meaning: "An effect, the unique beginning of its name, or its code (37, 0x25); none ends it",
        hint: "stripctl effects lists them.")
    private static let speed = Option(
        "speed", short: "s", value: "PCT", kind: .number, meaning: "How fast, 1 to 100, 100 is fastest")

    static let command = Command(
        verb: Verb(
            "effect", group: "Light", summary: "Run an effect that is built into the strip",
            explanation: [
                "The strip runs it by itself; effects cannot be dimmed. 'none' goes back to the colour of before."
            ],
            arguments: [name, Arguments.targets], options: [speed],
            examples: [
                Example("stripctl effect seven-color-fade", "Through seven colours."),
                Example("stripctl effect red-breathing --speed 20 desk", "Slowly."),
                Example("stripctl effect none", "Back to the colour of before."),
            ]),
        run: { call in
            let text = call.parsed.value(of: name) ?? ""
            let effect: EffectChange =
                ["none", "stop"].contains(text.lowercased()) ? .stop : .run(try Effect(parsing: text))
            let level = try call.parsed.value(of: speed).map(Level.init(parsing:))
            return try call.change(StripChange(effect: effect, speed: level), of: call.targets)
        })
}

enum EffectsVerb {
    static let command = Command(
        verb: Verb(
            "effects", group: "Light", summary: "List the effects that are built into the strips",
            explanation: ["Works without the daemon. The names do not change between releases."],
            examples: [Example("stripctl effects --json", "For programs.")]),
        run: { call in
            if call.wantsJSON {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys]
                try call.sayJSON(Array(encoder.encode(EffectList.all)))
            } else {
                let rows = EffectList.all.effects.map { [$0.name, "0x" + String($0.code, radix: 16), $0.description] }
                try call.surroundings.write(table(["NAME", "CODE", "SHOWS"], rows))
            }
            return .done
        })
}
