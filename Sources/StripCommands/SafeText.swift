// Text that others chose (names from the air, messages, paths), made safe to show on a terminal.

/// Without anything that a terminal would obey or that would reorder what is around it, and not longer than `limit`.
func safe(_ text: String, limit: Int = 200) -> String {
    var out = String.UnicodeScalarView()
    for (index, scalar) in text.unicodeScalars.enumerated() {
        guard index < limit else {
            out.append("…")
            break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            out.append("\u{FFFD}")
        case .nonspacingMark, .enclosingMark, .spacingMark:
            // Marks pile up on one letter until they cover other lines: two in a row are enough for any language.
            let before = out.suffix(2)
            if before.count == 2, before.allSatisfy({ $0.properties.canonicalCombiningClass != .notReordered }) {
                continue
            }
            out.append(scalar)
        default: out.append(scalar)
        }
    }
    return String(out)
}

/// A name that came over the air.
func safeName(_ name: String) -> String { safe(name, limit: 32) }

/// Text that may have several lines.
func safeLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { safe(String($0), limit: 500) }
        .joined(separator: "\n")
}
