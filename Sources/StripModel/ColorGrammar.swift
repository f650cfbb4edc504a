/// Colour text, the same on the command line, in the API and in configuration.
///
/// The forms are tried in the order of the code below. Hex comes before names: `bed` and `facade` are hex. No name of CSS
/// consists of three or six hex digits, so nothing is hidden by that.
extension Color {
    static let accepted =
        "ff8800, f80, '#ff8800', 0xff8800, 255,136,0, 'rgb(255,136,0)', 'hsv(32,100,100)', 'hsl(32,100,50)', "
        + "a CSS name such as darkorange, or 2700K"

    public init(parsing text: String) throws(InvalidValue) {
        let plain = plain(text)
        guard !plain.isEmpty else { throw Color.invalid(text, "is not a colour") }
        if let color = Color(hex: plain) {
            self = color
        } else if let kelvin = try Color.kelvin(in: plain, of: text) {
            self = Color(kelvin: kelvin)
        } else if let color = try Color(function: plain, of: text) {
            self = color
        } else if let color = try Color(triple: plain, of: text) {
            self = color
        } else if let color = Color(name: plain) {
            self = color
        } else {
            throw Color.notAColor(text, plain)
        }
    }

    /// `ff8800`, `f80`, both with `#`, and `0xff8800`. `0xf80` might mean `ff8800` or `000f80`: it is refused.
    private init?(hex plain: String) {
        var digits = plain.utf8[...]
        if digits.first == UInt8(ascii: "#") {
            digits.removeFirst()
        } else if digits.starts(with: "0x".utf8) {
            digits.removeFirst(2)
            guard digits.count == 6 else { return nil }
        }
        let values = digits.prefix(7).compactMap(\.hexDigit)
        guard values.count == digits.count else { return nil }
        switch values.count {
        case 3: self.init(red: values[0] * 17, green: values[1] * 17, blue: values[2] * 17)
        case 6:
            self.init(
                red: values[0] << 4 | values[1], green: values[2] << 4 | values[3], blue: values[4] << 4 | values[5])
        default: return nil
        }
    }

    /// `rgb(255,136,0)`, `hsv(32,100,100)`, `hsl(32,100%,50%)`, also with blanks for commas; `nil` if it is none of them.
    private init?(function plain: String, of text: String) throws(InvalidValue) {
        let name = plain.prefix(3)
        guard ["rgb", "hsv", "hsl"].contains(name) else { return nil }
        var rest = plain.utf8.dropFirst(3).drop(while: \.isSpace)
        guard rest.first == UInt8(ascii: "("), rest.last == UInt8(ascii: ")") else { return nil }
        rest = rest.dropFirst().dropLast()
        guard var parts = Color.parts(String(decoding: rest, as: UTF8.self)), parts.count == 3 else {
            throw Color.invalid(text, "does not have three numbers in \(name)(...)")
        }
        if name != "rgb" {
            for index in 1...2 where parts[index].utf8.last == UInt8(ascii: "%") { parts[index].removeLast() }
        }
        let limits = name == "rgb" ? [255, 255, 255] : [360, 100, 100]
        var numbers: [Int] = []
        for (part, limit) in zip(parts, limits) { numbers.append(try Color.number(part, upTo: limit, of: text)) }
        switch name {
        case "rgb": self.init(numbers)
        case "hsv": self.init(hue: numbers[0], saturation: numbers[1], value: numbers[2])
        default: self.init(hue: numbers[0], saturation: numbers[1], lightness: numbers[2])
        }
    }

    /// `255,136,0` and `255 136 0`; `nil` if it is not made of such numbers.
    private init?(triple plain: String, of text: String) throws(InvalidValue) {
        guard plain.utf8.first.map({ $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }) == true,
            plain.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0.isSpace }),
            let parts = Color.parts(plain)
        else { return nil }
        guard parts.count == 3 else { throw Color.invalid(text, "has \(parts.count) numbers, not three") }
        var numbers: [Int] = []
        for part in parts { numbers.append(try Color.number(part, upTo: 255, of: text)) }
        self.init(numbers)
    }

    private init(_ channels: [Int]) {
        self.init(red: UInt8(channels[0]), green: UInt8(channels[1]), blue: UInt8(channels[2]))
    }

    /// `2700K`, `2700 K` and `kelvin 2700`; `nil` if it is none of them.
    private static func kelvin(in plain: String, of text: String) throws(InvalidValue) -> Int? {
        var digits = plain.utf8[...]
        if digits.starts(with: "kelvin".utf8) {
            digits = digits.dropFirst(6)
        } else if digits.last == UInt8(ascii: "k") {
            digits = digits.dropLast()
            while digits.last?.isSpace == true { digits.removeLast() }
        } else {
            return nil
        }
        digits = digits.drop(while: \.isSpace)
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        guard !isNegative, let kelvin = wholeNumber(String(decoding: digits, as: UTF8.self)),
            kelvinRange.contains(kelvin)
        else {
            throw InvalidValue(
                text: text, problem: "is out of range for a colour temperature",
                accepted: "\(kelvinRange.lowerBound)K to \(kelvinRange.upperBound)K")
        }
        return kelvin
    }

    /// The parts between commas, or between blanks where there is no comma; `nil` if one is empty.
    private static func parts(_ text: String) -> [String]? {
        let bytes = text.utf8
        let parts =
            bytes.contains(UInt8(ascii: ","))
            ? bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { $0[...] }
            : bytes.split(whereSeparator: \.isSpace)
        let texts = parts.map { StripModel.plain(String(decoding: $0, as: UTF8.self)) }
        return texts.contains("") ? nil : texts
    }

    private static func number(_ part: String, upTo limit: Int, of text: String) throws(InvalidValue) -> Int {
        guard let number = wholeNumber(part) else {
            throw invalid(text, "has \(quoted(part)) where a whole number from 0 to \(limit) belongs")
        }
        guard number <= limit else { throw invalid(text, "has \(number) where at most \(limit) is possible") }
        return number
    }

    private static func invalid(_ text: String, _ problem: String, _ suggestions: [String] = []) -> InvalidValue {
        InvalidValue(text: text, problem: problem, accepted: accepted, suggestions: suggestions)
    }

    /// Says what is closest to being right in text that fits no form.
    private static func notAColor(_ text: String, _ plain: String) -> InvalidValue {
        if let number = wholeNumber(plain), kelvinRange.contains(number) {
            return invalid(text, "is not a colour", ["\(number)K"])
        }
        let hex = plain.utf8.first == UInt8(ascii: "#") ? String(plain.dropFirst()) : plain
        if !hex.isEmpty, hex.utf8.allSatisfy({ $0.hexDigit != nil }) {
            return invalid(text, "is not a colour: it has \(hex.utf8.count) hex digits, not 3 or 6")
        }
        return invalid(text, "is not a colour", suggestions(for: plain, among: ColorNames.all))
    }
}
