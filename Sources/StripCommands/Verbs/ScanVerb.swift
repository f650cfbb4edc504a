// `stripctl scan`.

import CommandLineTable
import StripAPI
import StripModel

enum ScanVerb {
    private static let seconds = Option(
        "seconds", value: "N", kind: .number, meaning: "How long to listen, 1 to 60 (5)")
    private static let all = Option("all", short: "a", meaning: "Show what speaks another protocol as well")

    static let command = Command(
        verb: Verb(
            "scan", group: "Strips", summary: "Listen for strips nearby",
            explanation: [
                "Strips of the names that we know are marked strip; what has another name is marked maybe and can be tried with "
                    + "adopt. A strip that a phone is connected to is not heard: close the app first."
            ],
            options: [seconds, all],
            examples: [
                Example("stripctl scan", "Five seconds."), Example("stripctl scan --seconds 15 --all", "Everything."),
            ]),
        run: { call in
            let seconds = try call.parsed.number(of: seconds, in: 1...60) ?? 5
            let request = Request(.scan, body: "{\"seconds\":\(seconds)}")
            let response = try call.ask(request, patience: seconds + 15, awaiting: "strips to be heard, \(seconds) s")
            guard !call.wantsJSON else {
                try call.sayJSON(response.body)
                return .done
            }
            let found = try decode(ScanAnswer.self, from: response.body).found
            try show(found.filter { $0.verdict != .other || call.parsed.has(all) }, heard: found.count, call)
            return .done
        })

    private static func show(_ found: [FoundStrip], heard: Int, _ call: Call) throws {
        guard !found.isEmpty else {
            call.remark(
                heard == 0
                    ? "Nothing was heard. Is the strip powered, near, and not connected to a phone?"
                    : "No strip was heard, but \(heard) other devices: stripctl scan --all shows them.")
            return
        }
        let rows = found.map { strip in
            [
                strip.address.description, strip.name.map(safeName) ?? "-", strip.rssi.map { "\($0) dBm" } ?? "-",
                strip.verdict.rawValue, strip.known ? "yes" + (strip.alias.map { ", \($0)" } ?? "") : "no",
            ]
        }
        try call.surroundings.write(table(["ADDRESS", "NAME", "SIGNAL", "VERDICT", "ADOPTED"], rows))
        if let new = found.first(where: { !$0.known && $0.verdict == .strip }) {
            call.remark("Take one in, under a name of your choice: stripctl adopt \(new.address) desk")
        }
    }
}
