// What was typed, sorted by the table: plain values, not yet judged.

/// A command line that fits the table.
public struct Parsed: Hashable, Sendable {
    /// `nil` in a program without verbs, and where help or the version was asked for without one.
    public internal(set) var verb: Verb?
    var options: [String: [String]] = [:]
    var arguments: [String: [String]] = [:]

    public func has(_ option: Option) -> Bool { options[option.name] != nil }

    /// The value that was given last.
    public func value(of option: Option) -> String? { options[option.name]?.last }

    /// All values, for an option that may be given several times.
    public func values(of option: Option) -> [String] { options[option.name] ?? [] }

    public func value(of argument: Argument) -> String? { arguments[argument.name]?.first }
    public func values(of argument: Argument) -> [String] { arguments[argument.name] ?? [] }

    /// The option's value as a whole number, `nil` if the option was not given.
    public func number(of option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(of: option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "\(option.long) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \(quoted(text))",
                verb: verb?.name)
        }
        return number
    }
}

/// A command line that does not fit the table; never a failure at run time.
public struct UsageError: Error, Hashable, Sendable {
    public let message: String
    /// What may have been meant, or a likely reason.
    public let hint: String?
    /// Whose help to read.
    public let verb: String?

    public init(_ message: String, hint: String? = nil, verb: String? = nil) {
        (self.message, self.hint, self.verb) = (message, hint, verb)
    }
}

extension Option {
    public var long: String { "--" + name }
}

/// Text from the command line between quotes, its control characters shown as escapes.
func quoted(_ text: String) -> String {
    var out = "'"
    for scalar in text.unicodeScalars.prefix(80) {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
            out += "\\u{" + String(scalar.value, radix: 16) + "}"
        default: out.unicodeScalars.append(scalar)
        }
    }
    return out + (text.unicodeScalars.count > 80 ? "...'" : "'")
}
