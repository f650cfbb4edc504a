// A command line as one table of data: what parses it, explains it, completes it and documents it all read the same lines.

/// What a value is, for completion and for telling `-10` from an option.
public enum ValueKind: Hashable, Sendable {
    case text, number, path, target, color, effect, verb
    case oneOf([String])
}

/// `--name`, `-n`, with or without a value.
public struct Option: Hashable, Sendable {
    public let name: String
    public let short: Character?
    /// How the value is called in the help (`PCT`); `nil` for a flag.
    public let value: String?
    public let kind: ValueKind
    /// One sentence, without the full stop at its end.
    public let meaning: String

    public init(
        _ name: String, short: Character? = nil, value: String? = nil, kind: ValueKind = .text, meaning: String
    ) {
        (self.name, self.short, self.value, self.kind, self.meaning) = (name, short, value, kind, meaning)
    }

    public static let help = Option("help", short: "h", meaning: "Show this help and do nothing else")
    public static let version = Option("version", short: "V", meaning: "Show the version and do nothing else")
}

/// A positional value.
public struct Argument: Hashable, Sendable {
    public enum Count: Hashable, Sendable { case one, optional, oneOrMore, any }

    /// In capitals, as the help shows it.
    public let name: String
    public let count: Count
    public let kind: ValueKind
    public let meaning: String
    /// Said when the value is missing: a likely reason and what to try.
    public let hint: String?

    public init(
        _ name: String, _ count: Count = .one, kind: ValueKind = .text, meaning: String, hint: String? = nil
    ) {
        (self.name, self.count, self.kind, self.meaning, self.hint) = (name, count, kind, meaning, hint)
    }
}

/// A command line that does what it says, and a sentence about it.
public struct Example: Hashable, Sendable {
    public let line: String
    public let meaning: String

    public init(_ line: String, _ meaning: String) { (self.line, self.meaning) = (line, meaning) }
}

/// One thing that a program does: `color` in `stripctl color ff8800`.
public struct Verb: Hashable, Sendable {
    public let name: String
    /// The heading under which the overview lists it.
    public let group: String
    /// One line for the overview.
    public let summary: String
    /// Paragraphs for the verb's own help.
    public let explanation: [String]
    /// Values come before targets; only the last may repeat.
    public let arguments: [Argument]
    public let options: [Option]
    public let examples: [Example]

    public init(
        _ name: String, group: String = "Commands", summary: String, explanation: [String] = [],
        arguments: [Argument] = [], options: [Option] = [], examples: [Example] = []
    ) {
        (self.name, self.group, self.summary, self.explanation) = (name, group, summary, explanation)
        (self.arguments, self.options, self.examples) = (arguments, options, examples)
    }
}

/// A program with verbs, or without: then its own arguments hold.
public struct Program: Sendable {
    public let name: String
    public let summary: String
    public let explanation: [String]
    public let verbs: [Verb]
    public let arguments: [Argument]
    /// Taken before and after a verb.
    public let options: [Option]
    public let examples: [Example]
    /// Numbers that scripts rely on, with their meaning.
    public let exitCodes: [(code: Int32, meaning: String)]

    public init(
        _ name: String, summary: String, explanation: [String] = [], verbs: [Verb] = [], arguments: [Argument] = [],
        options: [Option], examples: [Example] = [], exitCodes: [(code: Int32, meaning: String)] = []
    ) {
        (self.name, self.summary, self.explanation, self.verbs) = (name, summary, explanation, verbs)
        (self.arguments, self.options, self.examples, self.exitCodes) = (arguments, options, examples, exitCodes)
    }

    public func verb(named name: String) -> Verb? { verbs.first { $0.name == name } }
}
