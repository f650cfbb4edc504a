// `stripctl adopt`, `alias`, `default` and `forget`: which strips are ours, and what they are called.

import CommandLineTable
import StripAPI
import StripModel

enum AdoptVerb {
    private static let address = Argument(
        "ADDRESS", meaning: "The strip's Bluetooth address, in any spelling",
        hint: "stripctl scan shows the addresses in reach.")
    private static let name = Argument("NAME", .optional, meaning: "What to call it: a-z, 0-9, _ and -")

    static let command = Command(
        verb: Verb(
            "adopt", group: "Strips", summary: "Take a strip in, under a name",
            explanation: [
                "Only adopted strips are driven: what a neighbour owns stays alone. stripctl forget undoes it."
            ],
            arguments: [address, name],
            examples: [Example("stripctl adopt ff:ff:38:5b:40:65 desk", "From now on it is called desk.")]),
        run: { call in
            let address = try BluetoothAddress(parsing: call.parsed.value(of: address) ?? "")
            let alias = try call.parsed.value(of: name).map(Alias.init(parsing:))
            return try call.act(
                .adopt, on: [address.description], body: alias.map { "{\"alias\":\"\($0)\"}" } ?? "{}")
        })
}

enum AliasVerb {
    private static let name = Argument("NAME", meaning: "The new name: a-z, 0-9, _ and -")
    private static let target = Argument(
        "TARGET", .optional, kind: .target, meaning: "The strip; without one, the default strip")

    static let command = Command(
        verb: Verb(
            "alias", group: "Strips", summary: "Give a strip another name", arguments: [name, target],
            examples: [Example("stripctl alias shelf desk", "The strip called desk is now called shelf.")]),
        run: { call in
            let alias = try Alias(parsing: call.parsed.value(of: name) ?? "")
            let targets = call.parsed.values(of: target)
            return try call.act(.alias, on: targets, body: "{\"alias\":\"\(alias)\"}")
        })
}

enum DefaultVerb {
    private static let target = Argument("NAME", kind: .target, meaning: "The strip that is meant when none is named")

    static let command = Command(
        verb: Verb(
            "default", group: "Strips", summary: "Choose the strip that is meant when none is named",
            arguments: [target],
            examples: [Example("stripctl default desk", "Then stripctl color ff8800 is for desk.")]),
        run: { call in try call.act(.makeDefault, on: call.parsed.values(of: target)) })
}

enum ForgetVerb {
    private static let targets = Argument("TARGET", .oneOrMore, kind: .target, meaning: "The strips to forget")

    static let command = Command(
        verb: Verb(
            "forget", group: "Strips", summary: "Forget strips: give the link back and drive them no more",
            arguments: [targets], examples: [Example("stripctl forget desk", "stripctl adopt takes it in again.")]),
        run: { call in
            let targets = call.parsed.values(of: targets)
            let response = try call.ask(
                Request(.forget, targets), patience: 20, awaiting: targets.map(safeName).joined(separator: ", "))
            if call.wantsJSON, !response.body.isEmpty {
                try call.sayJSON(response.body)
            } else if call.wantsLine {
                try call.say("\(targets.map(safeName).joined(separator: ", "))  forgotten")
            }
            return .done
        })
}

enum LinkVerb {
    static let release = Command(
        verb: Verb(
            "release", group: "Strips", summary: "Give the link back, so that a phone can have the strip",
            explanation: ["The next command takes it again."], arguments: [Arguments.targets],
            examples: [Example("stripctl release desk", "Before the vendor's app is opened.")]),
        run: { call in try call.act(.release, on: call.targets) })

    static let refresh = Command(
        verb: Verb(
            "refresh", group: "Strips", summary: "Ask strips for their state, connecting if need be",
            arguments: [Arguments.targets],
            examples: [Example("stripctl refresh && stripctl status", "After someone used the remote control.")]),
        run: { call in try call.act(.refresh, on: call.targets) })
}
