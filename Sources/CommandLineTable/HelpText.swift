// The help of a program and of its verbs, written from the table.

extension Program {
    /// One line: what may stand where.
    public func usage(of verb: Verb? = nil) -> String {
        var words = [name]
        if let verb {
            words += [verb.name] + verb.arguments.map(\.usage) + verb.options.map(\.usage)
        } else if verbs.isEmpty {
            words += ["[OPTION...]"] + arguments.map(\.usage)
        } else {
            words += ["[OPTION...]", "VERB", "[VALUE]", "[TARGET...]"]
        }
        return words.joined(separator: " ")
    }

    /// The overview.
    public func help() -> String {
        var text = "\(name) - \(summary)\n\nUsage: \(usage())\n"
        let width = verbs.map(\.synopsis.count).max() ?? 0
        for group in groups {
            let rows = verbs.filter { $0.group == group }.map { ($0.synopsis, $0.summary) }
            text += "\n\(group):\n" + listing(rows, atLeast: width)
        }
        text += section("Arguments", arguments.map { ($0.name, $0.meaning) })
        text += section("Options", options.map { ($0.spelling, $0.meaning) })
        for paragraph in explanation { text += "\n" + wrapped(paragraph) }
        text += examplesText(examples)
        text += section("Exit codes", exitCodes.map { (String($0.code), $0.meaning) })
        if !verbs.isEmpty { text += "\n\(name) help VERB explains one verb.\n" }
        return text
    }

    /// All about one verb.
    public func help(of verb: Verb) -> String {
        var text = "\(name) \(verb.name) - \(verb.summary)\n\nUsage: \(usage(of: verb))\n"
        for paragraph in verb.explanation { text += "\n" + wrapped(paragraph) }
        text += section("Arguments", verb.arguments.map { ($0.name, $0.meaning) })
        text += section("Options", verb.options.map { ($0.spelling, $0.meaning) })
        text += examplesText(verb.examples)
        text += section("Options of every verb", options.map { ($0.spelling, $0.meaning) })
        return text
    }

    /// Headings in the order in which they first appear.
    public var groups: [String] {
        verbs.reduce(into: []) { if !$0.contains($1.group) { $0.append($1.group) } }
    }

    /// A usage error as it is printed.
    public func explanation(of error: UsageError) -> String {
        var text = "\(name): \(error.message)\n"
        if let hint = error.hint { text += hint + "\n" }
        if !verbs.isEmpty { return text + "See: \(name) help\(error.verb.map { " " + $0 } ?? "")\n" }
        return text + "See: \(name) --help\n"
    }

    private func examplesText(_ examples: [Example]) -> String {
        section("Examples", examples.map { ($0.line, $0.meaning) })
    }
}

extension Verb {
    /// The verb with its values, for the overview.
    public var synopsis: String {
        ([name] + arguments.filter { $0.kind != .target || $0.count == .one }.map(\.usage)).joined(separator: " ")
    }
}

extension Argument {
    var usage: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .oneOrMore: "\(name)..."
        case .any: "[\(name)...]"
        }
    }
}

extension Option {
    var usage: String { value.map { "[\(long) \($0)]" } ?? "[\(long)]" }

    /// `-q, --quiet`, `    --socket PATH`.
    var spelling: String { (short.map { "-\($0), " } ?? "    ") + long + (value.map { " \($0)" } ?? "") }
}

private func section(_ heading: String, _ rows: [(String, String)]) -> String {
    rows.isEmpty ? "" : "\n\(heading):\n" + listing(rows)
}

/// Two columns.
private func listing(_ rows: [(String, String)], atLeast width: Int = 0) -> String {
    let width = max(width, rows.map(\.0.count).max() ?? 0)
    let indent = String(repeating: " ", count: width + 4)
    return rows.map { left, right in
        let gap = String(repeating: " ", count: width - left.count + 2)
        return "  " + left + gap + wrap(right, to: max(30, 96 - indent.count)).joined(separator: "\n" + indent) + "\n"
    }.joined()
}

private func wrapped(_ paragraph: String) -> String { wrap(paragraph, to: 96).joined(separator: "\n") + "\n" }

private func wrap(_ text: String, to width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
        let line = lines[lines.count - 1]
        if line.isEmpty {
            lines[lines.count - 1] = String(word)
        } else if line.count + 1 + word.count <= width {
            lines[lines.count - 1] += " " + word
        } else {
            lines.append(String(word))
        }
    }
    return lines
}
