/// A value that a person or a program got wrong: what was written, what is wrong with it, what would be right.
public struct InvalidValue: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offending text, as it came; `description` makes it safe to print.
    public let text: String
    /// Goes on after the quoted text: "is not a colour".
    public let problem: String
    /// What is accepted instead; may be empty.
    public let accepted: String
    /// Values that may have been meant, the likeliest first.
    public let suggestions: [String]
    /// The member of a JSON object that held the value, if it was one.
    public internal(set) var member: String?

    public init(text: String, problem: String, accepted: String, suggestions: [String] = [], member: String? = nil) {
        self.text = text
        self.problem = problem
        self.accepted = accepted
        self.suggestions = suggestions
        self.member = member
    }

    /// One line: `"gg8800" is not a colour; accepted: ff8800, ...`.
    public var description: String {
        var line = "\(quoted(text)) \(problem)"
        if let member, member != text { line = "\(escaped(member).text): \(line)" }
        if !accepted.isEmpty { line += "; accepted: \(accepted)" }
        if !suggestions.isEmpty { line += "; did you mean \(suggestions.joined(separator: " or "))?" }
        return line
    }
}

/// `text` between quotation marks, on one line and safe on any terminal: control and formatting characters become
/// escapes, and a flood of text is cut.
public func quoted(_ text: String) -> String {
    let line = escaped(text)
    return line.isCut ? "\"\(line.text)\"..." : "\"\(line.text)\""
}

private func escaped(_ text: String) -> (text: String, isCut: Bool) {
    let limit = 80
    var line = ""
    for (index, scalar) in text.unicodeScalars.enumerated() {
        guard index < limit else { return (line, true) }
        switch scalar {
        case "\"", "\\": line += "\\\(scalar)"
        case "\n": line += "\\n"
        case "\r": line += "\\r"
        case "\t": line += "\\t"
        case "\0": line += "\\0"
        case _ where isInvisible(scalar): line += "\\u{\(String(scalar.value, radix: 16))}"
        default: line.unicodeScalars.append(scalar)
        }
    }
    return (line, false)
}

/// What a terminal would obey rather than show, or show as nothing.
private func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
    case .spaceSeparator: scalar != " "
    default: false
    }
}
