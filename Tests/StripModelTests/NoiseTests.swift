import Seeds
import StripModel
import Testing

/// Text that nobody would write: it may be refused, and never traps.
@Suite struct NoiseTests {
    @Test func randomTextNeverTraps() {
        var random = SeededGenerator(seed: 3)
        let pieces = [
            "ff8800", "0x", "#", "rgb(", "hsv(", "hsl(", ")", ",", " ", "%", "+", "-", "255", "0",
            "99999999999999999999", "K", "kelvin",
            "red", "-breathing", "seven", "dev_", ":", "_", "\0", "\u{1b}", "\u{ff15}", "é", "🟠", "\"", "\\", "",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
                pieces.randomElement(using: &random)
            }.joined()
            // Each of these may refuse; what it says has to stay on one line.
            for error in [
                refusal { try Color(parsing: text) }, refusal { try Level(parsing: text) },
                refusal { try Effect(parsing: text) },
                refusal { try Alias(parsing: text) }, refusal { try BluetoothAddress(parsing: text) },
            ] {
                #expect(error?.description.unicodeScalars.allSatisfy { $0.value >= 0x20 } != false, "\(quoted(text))")
            }
            _ = NameVerdict(name: text)
            _ = suggestions(for: text, among: pieces)
        }
    }

    @Test func damagedJSONNeverTraps() {
        var random = SeededGenerator(seed: 4)
        let whole = Array(
            #"{"on": true, "color": "ff8800", "brightness": "+10", "deadline": 2.5e0, "keep_power": false}"#.utf8)
        for _ in 0..<2_000 {
            var json = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<json.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: json[index] = UInt8.random(in: .min ... .max, using: &random)
                case 1: json.remove(at: index)
                default: json.insert(#"{}[]",:\0-e"#.utf8.randomElement(using: &random) ?? 0, at: index)
                }
            }
            _ = refusal { try StripChange(json: json) }
        }
    }

    private func refusal<Value>(_ parse: () throws -> Value) -> InvalidValue? {
        do {
            _ = try parse()
        } catch let error as InvalidValue {
            return error
        } catch {
            Issue.record("\(error)")
        }
        return nil
    }
}
