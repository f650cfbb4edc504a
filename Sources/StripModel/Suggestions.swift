/// The few of `candidates` that `text` may have been meant to be, the likeliest first: a prefix of them, or the same but
/// for a slip or two of the finger.
public func suggestions(for text: String, among candidates: [String]) -> [String] {
    let typed = Array(text.lowercased().utf8.prefix(64))
    guard !typed.isEmpty else { return [] }
    let allowed = max(1, typed.count / 3)
    let ranked = candidates.enumerated().compactMap { index, candidate -> (rank: Int, index: Int, name: String)? in
        let name = Array(candidate.lowercased().utf8)
        let isPrefix = typed.count > 1 && name.starts(with: typed)
        let distance = isPrefix ? 1 : slips(from: typed, to: name)
        return isPrefix || distance <= allowed ? (distance, index, candidate) : nil
    }
    return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.prefix(3).map(\.name)
}

/// The number of letters inserted, left out, mistaken, or swapped with their neighbour.
private func slips(from one: [UInt8], to other: [UInt8]) -> Int {
    guard !one.isEmpty, !other.isEmpty else { return max(one.count, other.count) }
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for row in 1...one.count {
        var current = [row]
        for column in 1...other.count {
            let isSame = one[row - 1] == other[column - 1]
            var least = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
            if row > 1, column > 1, one[row - 1] == other[column - 2], one[row - 2] == other[column - 1] {
                least = min(least, beforeLast[column - 2] + 1)
            }
            current.append(least)
        }
        (beforeLast, last) = (last, current)
    }
    return last[other.count]
}
