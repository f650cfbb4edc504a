// `stripctl color`.

import CommandLineTable
import StripModel

enum ColorVerb {
    private static let color = Argument(
        "COLOR", kind: .color,
        meaning:
            "ff8800, f80, '#ff8800', 0xff8800, 255,136,0, 255 136 0, 'rgb(255,136,0)', 'hsv(32,100,100)', a CSS name, "
            + "or 2700K",
        hint: "If you typed '#ff8800': to a shell '#' begins a comment. Quote it, or leave out the '#'.")
    private static let brightness = Option(
        "brightness", short: "b", value: "PCT", kind: .number, meaning: "Set the brightness as well, 1 to 100")
    private static let keepPower = Option("keep-power", meaning: "Do not switch the strip on")

    static let command = Command(
        verb: Verb(
            "color", group: "Light", summary: "Set a colour, and switch on",
            explanation: [
                "Hexadecimal comes first: bed and facade are colours of three and six digits. Parentheses mean something to a "
                    + "shell, so quote rgb(...) and hsv(...), or write 255,136,0.",
                "Greys are mixed from red, green and blue; the white LEDs are driven by stripctl white alone.",
            ],
            arguments: [color, Arguments.targets], options: [brightness, keepPower],
            examples: [
                Example("stripctl color ff8800", "Orange, on the default strip."),
                Example("stripctl color 255 136 0 desk shelf", "The same with three numbers, on two strips."),
                Example("stripctl color 2700K --brightness 40", "As warm as a bulb, dimmed."),
                Example("stripctl color 'hsv(32,100,100)'", "Quoted, because of the parentheses."),
            ]),
        run: { call in
            let (text, targets) = split(call.parsed.values(of: color) + call.targets)
            let change = StripChange(
                color: try Color(parsing: text),
                brightness: try call.parsed.value(of: brightness).map(Level.init(parsing:)),
                keepPower: call.parsed.has(keepPower))
            return try call.change(change, of: targets)
        })

    /// The colour's text and the targets after it: three plain numbers in a row are one colour, and so is `kelvin 2700`.
    static func split(_ words: [String]) -> (text: String, targets: [String]) {
        let first = words.prefix(3)
        if first.count == 3, first.allSatisfy({ $0.utf8.count <= 3 && !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }) {
            return (first.joined(separator: ","), Array(words.dropFirst(3)))
        }
        if words.count > 1, words[0].lowercased() == "kelvin" {
            return ("kelvin \(words[1])", Array(words.dropFirst(2)))
        }
        return (words.first ?? "", Array(words.dropFirst()))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
