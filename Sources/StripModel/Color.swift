/// A colour as a person means it, at full brightness; `Percent` dims it.
public struct Color: Hashable, Sendable, CustomStringConvertible {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The colour to send for `brightness`. A channel that is lit stays lit, more is never darker, and 100 changes
    /// nothing.
    public func scaled(to brightness: Percent) -> Color {
        func scale(_ channel: UInt8) -> UInt8 {
            channel == 0 ? 0 : max(1, UInt8((Int(channel) * brightness.value + 50) / 100))
        }
        return Color(red: scale(red), green: scale(green), blue: scale(blue))
    }

    /// Six lower-case hex digits: `ff8800`.
    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: [red, green, blue].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xf)]] }, as: UTF8.self)
    }
}

extension Color: Codable {
    public init(from decoder: any Decoder) throws {
        self = try Color(parsing: try String(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }
}
