/// The address of a strip or an adapter, whatever way it is written: it is the strip's identity.
public struct BluetoothAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The six bytes, the first written one highest.
    private let value: UInt64

    /// Takes `ff:ff:38:5b:40:65`, the same with `-` or `_`, the bare twelve digits, and BlueZ's `dev_FF_FF_38_5B_40_65`, in
    /// upper and lower case; `nil` for anything else.
    public init?(_ text: String) {
        var bytes = Array(plain(text).utf8)
        if bytes.starts(with: "dev_".utf8) {
            bytes.removeFirst(4)
            guard bytes.count == 17, bytes[2] == UInt8(ascii: "_") else { return nil }
        }
        var digits: [UInt8] = []
        switch bytes.count {
        case 12: digits = bytes
        case 17:
            guard ":-_".utf8.contains(bytes[2]) else { return nil }
            for (index, byte) in bytes.enumerated() {
                guard index % 3 == 2 else {
                    digits.append(byte)
                    continue
                }
                guard byte == bytes[2] else { return nil }
            }
        default: return nil
        }
        var value: UInt64 = 0
        for digit in digits {
            guard let digit = digit.hexDigit else { return nil }
            value = value << 4 | UInt64(digit)
        }
        self.value = value
    }

    /// As `init(_:)`, with an error for people.
    public init(parsing text: String) throws(InvalidValue) {
        guard let address = BluetoothAddress(text) else {
            throw InvalidValue(
                text: text, problem: "is not a Bluetooth address",
                accepted: "six pairs of hex digits, as in ff:ff:38:5b:40:65")
        }
        self = address
    }

    /// Lower case, with colons: the product's own spelling.
    public var description: String { text(separator: ":", digits: Array("0123456789abcdef".utf8)) }

    /// Upper case, with colons: BlueZ's spelling.
    public var bluez: String { text(separator: ":", digits: Array("0123456789ABCDEF".utf8)) }

    public static func < (one: BluetoothAddress, other: BluetoothAddress) -> Bool { one.value < other.value }

    private func text(separator: Unicode.Scalar, digits: [UInt8]) -> String {
        var text: [UInt8] = []
        for shift in stride(from: UInt64(40), through: 0, by: -8) {
            if !text.isEmpty { text.append(UInt8(ascii: separator)) }
            text.append(digits[Int(value >> (shift + 4) & 0xf)])
            text.append(digits[Int(value >> shift & 0xf)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension BluetoothAddress: Codable {
    public init(from decoder: any Decoder) throws {
        self = try BluetoothAddress(parsing: try String(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }
}
