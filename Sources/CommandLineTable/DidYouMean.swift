// The nearest known word to one that was mistyped. Suggested, never acted on.

/// A sentence with up to three words that are near, or `nil`.
public func didYouMean(_ word: String, among known: [String]) -> String? {
    let near = nearest(to: word, among: known)
    guard !near.isEmpty else { return nil }
    return "Did you mean " + near.joined(separator: " or ") + "?"
}

/// Words that begin like it, or are at most a third of its letters away, nearest first.
func nearest(to word: String, among known: [String]) -> [String] {
    let word = Array(word.lowercased().utf8.prefix(40))
    let limit = max(1, word.count / 3)
    let ranked = known.compactMap { candidate -> (distance: Int, name: String)? in
        let letters = Array(candidate.lowercased().utf8)
        if word.count >= 2, letters.starts(with: word) { return (0, candidate) }
        let distance = editDistance(word, letters)
        return distance <= limit ? (distance, candidate) : nil
    }
    return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
}

/// Insertions, deletions, replacements and swaps of neighbours between two words.
func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var before: [Int] = []
    var above = Array(0...b.count)
    for i in 1...a.count {
        var row = [i]
        for j in 1...b.count {
            var best = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
            if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { best = min(best, before[j - 2] + 1) }
            row.append(best)
        }
        (before, above) = (above, row)
    }
    return above[b.count]
}
