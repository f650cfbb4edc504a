import StripAPI
import StripCore
import StripModel

/// Finds the strips that the `{id}` of a path means.
struct Targets: Sendable {
    let registry: StripRegistry

    /// The strips of a command, at least one, and what to tell about how they were found.
    struct Addressed: Sendable {
        var strips: [Strip]
        /// Whether the answer is a list, however many strips there are.
        var isSeveral: Bool
        var notes: [String] = []
    }

    /// For what changes nothing about who is known: an address is not adopted by being looked at.
    ///
    /// - Returns: at least one strip.
    func known(_ target: String) async throws(Problem) -> [Strip] {
        for word in target.split(separator: ",") {
            guard let address = BluetoothAddress(String(word)), !(await registry.knows(address)) else { continue }
            throw Problem(TargetError.unknown(String(word), suggestions: []))
        }
        return try await named(target)
    }

    /// For what can be done to one strip only.
    func one(_ target: String) async throws(Problem) -> Strip {
        let found = try await named(target)
        guard found.count == 1 else {
            throw Problem(.ambiguousTarget, "\(quoted(target)) means \(found.count) strips; accepted: one of them")
        }
        return found[0]
    }

    /// For a command. The first one of all, that names none, adopts the only strip that is in range.
    ///
    /// A word that means no strip stops them all: a misspelt name shall not change half of a room.
    func addressed(_ target: String) async throws(Problem) -> Addressed {
        do throws(TargetError) {
            return Addressed(strips: try await registry.resolve(target), isSeveral: isSeveral(target))
        } catch .noneKnown {
            return try await firstAdoption(for: target)
        } catch {
            throw Problem(error)
        }
    }

    /// Whether the answer is a list, however many strips there are.
    func isSeveral(_ target: String) -> Bool { target == "all" || target.contains(",") }

    private func named(_ target: String) async throws(Problem) -> [Strip] {
        do throws(TargetError) {
            return try await registry.resolve(target)
        } catch {
            throw Problem(error)
        }
    }

    private func firstAdoption(for target: String) async throws(Problem) -> Addressed {
        do throws(FirstAdoptionError) {
            let strip = try await registry.adoptTheOnlyOne()
            let name = await strip.view().name.map { " (\(quoted($0)))" } ?? ""
            let note =
                "adopted \(strip.address)\(name), the only strip in range; stripctl forget \(strip.address) undoes it"
            return Addressed(strips: [strip], isSeveral: isSeveral(target), notes: [note])
        } catch {
            throw Problem(error)
        }
    }
}
