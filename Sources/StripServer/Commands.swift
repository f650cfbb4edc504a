import EventLoop
import HTTPServer
import StripAPI
import StripCore
import StripModel

/// Asks the strips of a command, all of them at once, and puts together what became of it.
struct Commands: Sendable {
    let writes: WriteLog
    let loop: EventLoop

    typealias Ask = @Sendable (Strip) async throws(Problem) -> ChangeResult

    /// One strip answers for itself, several as a list.
    ///
    /// - Parameter deed: what is asked for, as the log has it.
    func answer(
        _ addressed: Targets.Addressed, to peer: Peer, _ deed: WriteLog.Deed, _ ask: @escaping Ask
    ) async throws(Problem) -> HTTPResponse {
        guard !addressed.isSeveral, let only = addressed.strips.first else {
            return await list(addressed, peer, deed, ask)
        }
        var outcome = try await outcome(of: only, peer, deed, ask)
        outcome.notes = addressed.notes + outcome.notes
        return .json(outcome)
    }

    private func list(
        _ addressed: Targets.Addressed, _ peer: Peer, _ deed: WriteLog.Deed, _ ask: @escaping Ask
    ) async -> HTTPResponse {
        let strips = addressed.strips
        let results = await withTaskGroup(of: (Int, OutcomeList.Result).self) { group in
            for (index, strip) in strips.enumerated() {
                group.addTask(executorPreference: loop) { (index, await result(of: strip, peer, deed, ask)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var list = OutcomeList(results: results.sorted { $0.0 < $1.0 }.map(\.1))
        for index in list.results.indices { list.results[index].notes = addressed.notes + list.results[index].notes }
        return .json(list, status: list.results.allSatisfy { $0.status == 200 } ? 200 : 207)
    }

    private func result(
        of strip: Strip, _ peer: Peer, _ deed: WriteLog.Deed, _ ask: Ask
    ) async -> OutcomeList.Result {
        do throws(Problem) {
            return .init(id: strip.address.description, try await outcome(of: strip, peer, deed, ask))
        } catch {
            return .init(id: strip.address.description, error)
        }
    }

    private func outcome(
        of strip: Strip, _ peer: Peer, _ deed: WriteLog.Deed, _ ask: Ask
    ) async throws(Problem) -> Outcome {
        let result = try await ask(strip)
        let view = await strip.view()
        let outcome: Outcome
        switch result {
        case .accepted(let notes): outcome = Outcome(.accepted, strip: view, notes: notes)
        case .written(let notes): outcome = Outcome(.written, strip: view, notes: notes)
        case .superseded(let notes): outcome = Outcome(.superseded, strip: view, notes: notes)
        case .failed(let cause, let notes):
            throw Problem(
                failed: cause, strip: view, detail: ([cause.explanation] + notes).joined(separator: " "))
        }
        writes.note(peer, deed, view, outcome.outcome)
        return outcome
    }
}
