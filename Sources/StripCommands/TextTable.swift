// Aligned columns, as `list` and `status` print them.

/// One cell: what is seen takes `text`'s width; `prefix` takes two columns where it is not empty.
func table(_ heading: [String], _ rows: [[String]]) -> String {
    let all = [heading] + rows
    let widths = heading.indices.map { column in all.map { visibleWidth($0[column]) }.max() ?? 0 }
    return all.map { row in
        var line = ""
        for (column, cell) in row.enumerated() {
            line += cell
            guard column < row.count - 1 else { continue }
            line += String(repeating: " ", count: widths[column] - visibleWidth(cell) + 2)
        }
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }.joined()
}

/// Characters that are seen: escape sequences of ours (`ESC [ ... m`) take no room.
func visibleWidth(_ text: String) -> Int {
    var width = 0
    var inEscape = false
    for character in text {
        if character == "\u{1B}" { inEscape = true }
        if !inEscape { width += 1 }
        if character == "m" { inEscape = false }
    }
    return width
}
