// From the words of a command line to a `Parsed`, by the table alone.

extension Program {
    /// Sorts the words (without the program's own name).
    ///
    /// With `--help` or `--version` among them nothing is missed, so that `color --help` is not an error.
    public func parse(_ words: [String]) throws(UsageError) -> Parsed {
        var reader = WordReader(program: self, words: words)
        return try reader.read()
    }
}

private struct WordReader {
    let program: Program
    var words: ArraySlice<String>
    var parsed = Parsed()
    var positional: [String] = []

    init(program: Program, words: [String]) { (self.program, self.words) = (program, words[...]) }

    mutating func read() throws(UsageError) -> Parsed {
        while let word = words.popFirst() {
            if word == "--" {
                for rest in words { try take(rest) }
                break
            }
            if word.hasPrefix("--") {
                try readLong(word.dropFirst(2))
            } else if word.hasPrefix("-"), word != "-", !isNegativeNumber(word) {
                try readShort(word.dropFirst())
            } else {
                try take(word)
            }
        }
        if !parsed.has(.help), !parsed.has(.version) { try assign() }
        return parsed
    }

    /// The first word that is not an option is the verb, if the program has verbs.
    private mutating func take(_ word: String) throws(UsageError) {
        guard parsed.verb == nil, !program.verbs.isEmpty else { return positional.append(word) }
        guard let verb = program.verb(named: word) else {
            throw UsageError(
                "\(quoted(word)) is not something that \(program.name) does",
                hint: didYouMean(word, among: program.verbs.map(\.name)))
        }
        parsed.verb = verb
    }

    /// `-10` is a value where one is waited for that is a number.
    private func isNegativeNumber(_ word: String) -> Bool {
        guard let digit = word.dropFirst().first, digit.isASCII, digit.isNumber || digit == "." else { return false }
        return (parsed.verb?.arguments ?? program.arguments).contains { $0.kind == .number || $0.kind == .color }
    }

    private var known: [Option] { (parsed.verb?.options ?? []) + program.options }

    private mutating func readLong(_ text: Substring) throws(UsageError) {
        let name = text.prefix { $0 != "=" }
        let attached: String? = name.endIndex == text.endIndex ? nil : String(text[text.index(after: name.endIndex)...])
        guard let option = known.first(where: { $0.name == name }) else { throw unknown("--" + name) }
        try store(option, attached)
    }

    /// `-q`, `-qj`, `-n VALUE`, `-nVALUE`.
    private mutating func readShort(_ text: Substring) throws(UsageError) {
        var rest = text
        while let letter = rest.popFirst() {
            guard let option = known.first(where: { $0.short == letter }) else {
                throw unknown(letter.isNumber ? "-\(text)" : "-\(letter)")
            }
            if option.value != nil, !rest.isEmpty { return try store(option, String(rest)) }
            try store(option, nil)
        }
    }

    private mutating func store(_ option: Option, _ attached: String?) throws(UsageError) {
        guard let placeholder = option.value else {
            if let attached {
                throw UsageError("\(option.long) takes no value, not \(quoted(attached))", verb: parsed.verb?.name)
            }
            return parsed.options[option.name, default: []].append("")
        }
        guard let value = attached ?? (words.first?.hasPrefix("--") == true ? nil : words.popFirst()) else {
            throw UsageError("\(option.long) wants a value: \(option.long) \(placeholder)", verb: parsed.verb?.name)
        }
        parsed.options[option.name, default: []].append(value)
    }

    private func unknown(_ word: String) -> UsageError {
        let elsewhere = program.verbs.filter { $0.options.contains { $0.long == word } }.map(\.name)
        let whose = parsed.verb.map { "\(program.name) \($0.name)" } ?? program.name
        return UsageError(
            "\(whose) has no option \(quoted(word))",
            hint: elsewhere.isEmpty
                ? didYouMean(word, among: known.map(\.long))
                : "It belongs to \(elsewhere.joined(separator: ", ")), after the verb.",
            verb: parsed.verb?.name)
    }

    /// Deals the positional words out to the arguments, in order.
    private mutating func assign() throws(UsageError) {
        let arguments = parsed.verb?.arguments ?? program.arguments
        guard parsed.verb != nil || program.verbs.isEmpty else {
            throw UsageError(
                "what should \(program.name) do?", hint: "For example: \(program.examples.first?.line ?? "")")
        }
        var rest = positional[...]
        for argument in arguments {
            switch argument.count {
            case .one, .oneOrMore:
                guard let value = rest.popFirst() else { throw missing(argument) }
                parsed.arguments[argument.name] = [value]
            case .optional:
                if let value = rest.popFirst() { parsed.arguments[argument.name] = [value] }
            case .any: break
            }
            if argument.count == .oneOrMore || argument.count == .any {
                parsed.arguments[argument.name, default: []] += rest
                rest = []
            }
        }
        if let extra = rest.first {
            let whose = parsed.verb.map { "\(program.name) \($0.name)" } ?? program.name
            throw UsageError("\(whose) does not take \(quoted(extra))", verb: parsed.verb?.name)
        }
    }

    private func missing(_ argument: Argument) -> UsageError {
        let whose = parsed.verb.map { "\(program.name) \($0.name)" } ?? program.name
        return UsageError(
            "\(whose) wants \(argument.name): \(argument.meaning.prefix(1).lowercased() + argument.meaning.dropFirst())",
            hint: argument.hint, verb: parsed.verb?.name)
    }
}
