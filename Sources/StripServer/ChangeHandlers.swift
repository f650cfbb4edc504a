import HTTPServer
import StripAPI
import StripCore
import StripModel
import Triones

/// What can be asked of a strip's light.
struct ChangeHandlers: Sendable {
    let registry: StripRegistry
    let targets: Targets
    let commands: Commands
    let timing: Timing

    func change(_ target: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let wait = try request.seconds("wait")
        let isDry = try request.flag("dry_run")
        let change = try request.change()
        let addressed = try await targets.addressed(target)
        if isDry { return .json(try await dryRun(change, addressed)) }
        let deadline = change.deadline.map { Duration.seconds($0) } ?? timing.deadline
        return try await commands.answer(addressed, to: request.peer, .change(change)) { strip throws(Problem) in
            try await apply(change, to: strip, deadline, wait)
        }
    }

    /// One strip inverts its power; several go off together if any of them is on.
    func toggle(_ target: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let wait = try request.seconds("wait")
        let addressed = try await targets.addressed(target)
        let deadline = try request.seconds("deadline") ?? timing.deadline
        let strips = addressed.strips
        guard strips.count > 1 else {
            return try await commands.answer(addressed, to: request.peer, .toggle) { strip in
                await strip.toggle(deadline: deadline, wait: wait)
            }
        }
        let change = StripChange(on: await registry.togglesOn(strips, deadline: deadline / 2))
        return try await commands.answer(addressed, to: request.peer, .change(change)) { strip throws(Problem) in
            try await apply(change, to: strip, deadline, wait)
        }
    }

    /// Here `wait` is how long the strip may take: there is nothing to answer before it has.
    func refresh(_ target: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let deadline = try request.seconds("wait") ?? timing.deadline
        let addressed = try await targets.addressed(target)
        return try await commands.answer(addressed, to: request.peer, .refresh) { strip in
            await strip.refresh(deadline: deadline)
        }
    }

    private func apply(
        _ change: StripChange, to strip: Strip, _ deadline: Duration, _ wait: Duration?
    ) async throws(Problem) -> ChangeResult {
        do throws(InvalidValue) {
            return try await strip.apply(change, deadline: deadline, wait: wait)
        } catch {
            throw Problem(error)
        }
    }

    private func dryRun(_ change: StripChange, _ addressed: Targets.Addressed) async throws(Problem) -> DryRun {
        var answer = DryRun(frames: [], notes: addressed.notes)
        for strip in addressed.strips {
            do throws(InvalidValue) {
                let (frames, notes) = try await strip.dryRun(change)
                answer.frames += frames.map(\.description)
                answer.notes += notes.filter { !answer.notes.contains($0) }
            } catch {
                throw Problem(error)
            }
        }
        return answer
    }
}
