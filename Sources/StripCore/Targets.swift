public import StripModel
import Triones

/// Which strips a word means.
extension StripRegistry {
    /// Finds strips by alias, address, unique prefix of an alias, `all` or `default`; several with commas between.
    /// To name an address is to adopt it.
    public func resolve(_ target: String) async throws(TargetError) -> [Strip] {
        var found: [Strip] = []
        for word in target.split(separator: ",", omittingEmptySubsequences: false) {
            for strip in try await resolve(one: String(word)) where !found.contains(where: { $0 === strip }) {
                found.append(strip)
            }
        }
        return found
    }

    private func resolve(one word: String) async throws(TargetError) -> [Strip] {
        if word == "all" {
            guard !strips.isEmpty else { throw .noneKnown }
            return ordered
        }
        if word == "default" { return [try await defaultOne()] }
        if let exact = aliases.first(where: { $0.value.text == word.lowercased() }), let strip = strips[exact.key] {
            return [strip]
        }
        if let address = BluetoothAddress(word) {
            if let strip = strips[address] { return [strip] }
            do throws(InvalidValue) {
                return [try await adopt(address, as: nil, onTrial: true)]
            } catch {
                throw .unknown(word, suggestions: [])  // adopting without an alias does not fail
            }
        }
        let longer = aliases.filter { $0.value.text.hasPrefix(word.lowercased()) }
        if longer.count == 1, !word.isEmpty, let strip = longer.first.flatMap({ strips[$0.key] }) { return [strip] }
        if longer.count > 1, !word.isEmpty { throw .ambiguous(word, aliases: longer.values.map(\.text).sorted()) }
        let byName = await named(word)
        if byName.count == 1 { return byName }
        if byName.count > 1 { throw .ambiguous(word, aliases: byName.map(\.address.description).sorted()) }
        throw .unknown(word, suggestions: suggestions(for: word, among: aliases.values.map(\.text).sorted()))
    }

    /// The default strip, else the only one.
    private func defaultOne() async throws(TargetError) -> Strip {
        if let defaultStrip, let strip = strips[defaultStrip] { return strip }
        if strips.count == 1, let only = strips.values.first { return only }
        throw strips.isEmpty
            ? .noneKnown : .noDefault(ordered.map { aliases[$0.address]?.text ?? $0.address.description })
    }

    /// Whether the strip was adopted.
    public func knows(_ address: BluetoothAddress) -> Bool { strips[address] != nil }

    /// `nil` for a strip without one, or that is not known.
    public func alias(of address: BluetoothAddress) -> Alias? { aliases[address] }

    /// Where a toggle of several strips leads: off if any that can be reached is on.
    public func togglesOn(_ strips: [Strip], deadline: Duration) async -> Bool {
        let (answers, sink) = AsyncStream.makeStream(of: Bool.self)
        for strip in strips {
            // Not children: the first that is on decides, and one that cannot be reached keeps nobody waiting then.
            Task(executorPreference: loop) { sink.yield(await strip.currentPower(deadline: deadline) == .on) }
        }
        var open = strips.count
        for await isOn in answers {
            if isOn { return false }
            open -= 1
            if open == 0 { break }
        }
        return true
    }

    /// All known strips in the order of their addresses.
    public var ordered: [Strip] { strips.values.sorted { $0.address < $1.address } }

    /// By the name that they advertise: two strips may share one.
    private func named(_ word: String) async -> [Strip] {
        var found: [Strip] = []
        for strip in ordered where await strip.advertisedName?.lowercased() == word.lowercased() { found.append(strip) }
        return found
    }
}

/// Why a word means no strip.
public enum TargetError: Error, Hashable, Sendable {
    /// No strip has been adopted yet.
    case noneKnown
    case noDefault([String])
    case unknown(String, suggestions: [String])
    case ambiguous(String, aliases: [String])
}
