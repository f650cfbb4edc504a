import DBus
import EventLoop
import HTTPServer
import StripAPI
import StripCore
import StripModel
import Triones

/// What can be asked of strips.
struct StripHandlers: Sendable {
    let registry: StripRegistry
    let timing: Timing
    let loop: EventLoop

    func list() async -> HTTPResponse {
        var views: [StripView] = []
        for strip in await registry.ordered { views.append(await strip.view()) }
        return .json(StripList(strips: views))
    }

    func show(_ target: String) async throws(Problem) -> HTTPResponse {
        let strips = try await known(target)
        guard isSeveral(target, strips), strips.count != 1 || target == "all" else {
            return .json(await strips[0].view())
        }
        var views: [StripView] = []
        for strip in strips { views.append(await strip.view()) }
        return .json(StripList(strips: views))
    }

    // MARK: Changing the light

    func change(_ target: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let wait = try request.seconds("wait", upTo: 60)
        let change = try request.decoded(StripChange.self)
        let (strips, notes) = try await addressed(target)
        if let dryRun = request.queryValue("dry_run"), dryRun != "0" { return try await frames(of: change, on: strips) }
        let deadline = change.deadline.map { Duration.seconds($0) } ?? timing.deadline
        return await answer(target, strips, notes: notes) { strip throws(Problem) in
            do throws(InvalidValue) {
                return try await strip.apply(change, deadline: deadline, wait: wait)
            } catch {
                throw Problem(error)
            }
        }
    }

    private func frames(of change: StripChange, on strips: [Strip]) async throws(Problem) -> HTTPResponse {
        var answer = DryRun(frames: [])
        for strip in strips {
            do throws(InvalidValue) {
                let (frames, notes) = try await strip.dryRun(change)
                answer.frames += frames.map(\.description)
                answer.notes += notes.filter { !answer.notes.contains($0) }
            } catch {
                throw Problem(error)
            }
        }
        return .json(answer)
    }

    /// One strip inverts its power; several go off together if any of them is on.
    func toggle(_ target: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let wait = try request.seconds("wait", upTo: 60)
        let (strips, notes) = try await addressed(target)
        let deadline = timing.deadline
        guard strips.count > 1 else {
            return await answer(target, strips, notes: notes) { strip in
                await strip.toggle(deadline: deadline, wait: wait)
            }
        }
        let change = StripChange(on: await registry.togglesOn(strips, deadline: deadline))
        return await answer(target, strips, notes: notes) { strip throws(Problem) in
            do throws(InvalidValue) {
                return try await strip.apply(change, deadline: deadline, wait: wait)
            } catch {
                throw Problem(error)
            }
        }
    }

    /// Asks all strips at once; one answers for itself, several as a list.
    private func answer(
        _ target: String, _ strips: [Strip], notes: [String],
        _ ask: @escaping @Sendable (Strip) async throws(Problem) -> ChangeResult
    ) async -> HTTPResponse {
        if !isSeveral(target, strips), let only = strips.first {
            switch await outcome(of: only, ask) {
            case .success(var outcome):
                outcome.notes = notes + outcome.notes
                return .json(outcome)
            case .failure(let problem): return .problem(problem)
            }
        }
        let results = await withTaskGroup(of: (Int, Result<Outcome, Problem>).self) { group in
            for (index, strip) in strips.enumerated() {
                group.addTask(executorPreference: loop) { (index, await outcome(of: strip, ask)) }
            }
            return await group.reduce(into: [Int: Result<Outcome, Problem>]()) { $0[$1.0] = $1.1 }
        }
        var list = OutcomeList(results: [])
        for (index, strip) in strips.enumerated() {
            switch results[index] {
            case .success(let outcome)?: list.results.append(.init(id: strip.address.description, outcome))
            case .failure(let problem)?: list.results.append(.init(id: strip.address.description, problem))
            case nil: break
            }
        }
        return .json(list, status: list.results.allSatisfy { $0.status == 200 } ? 200 : 207)
    }

    private func outcome(
        of strip: Strip, _ ask: @Sendable (Strip) async throws(Problem) -> ChangeResult
    ) async -> Result<Outcome, Problem> {
        do throws(Problem) {
            let result = try await ask(strip)
            let view = await strip.view()
            switch result {
            case .accepted(let notes): return .success(Outcome(.accepted, strip: view, notes: notes))
            case .written(let notes): return .success(Outcome(.written, strip: view, notes: notes))
            case .superseded(let notes): return .success(Outcome(.superseded, strip: view, notes: notes))
            case .failed(let cause, let notes):
                let detail = ([cause.explanation] + notes).joined(separator: " ")
                return .failure(Problem(failed: cause, strip: view, detail: detail))
            }
        } catch {
            return .failure(error)
        }
    }

    // MARK: The link

    func release(_ target: String) async throws(Problem) -> HTTPResponse {
        let strips = try await known(target)
        for strip in strips { await strip.release() }
        return try await show(target)
    }

    func refresh(_ target: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let deadline = try request.seconds("wait", upTo: 60) ?? timing.deadline
        let (strips, notes) = try await addressed(target)
        return await answer(target, strips, notes: notes) { strip in await strip.refresh(deadline: deadline) }
    }

    // MARK: Who is known

    func adopt(_ text: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let alias = try request.decoded(AliasRequest.self).alias
        guard let address = BluetoothAddress(text) else {
            throw Problem(
                InvalidValue(text: text, problem: "is not a Bluetooth address", accepted: "ff:ff:38:5b:40:65"))
        }
        let wasKnown = await registry.knows(address)
        do throws(InvalidValue) {
            let strip = try await registry.adopt(address, as: alias)
            return .json(await strip.view(), status: wasKnown ? 200 : 201)
        } catch {
            throw Problem(.aliasTaken, "\(error)")
        }
    }

    func setAlias(_ target: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let alias = try request.decoded(AliasRequest.self).alias
        let strip = try await one(target)
        do throws(InvalidValue) {
            try await registry.setAlias(alias, of: strip.address)
        } catch {
            throw Problem(.aliasTaken, "\(error)")
        }
        return .json(await strip.view())
    }

    func makeDefault(_ target: String) async throws(Problem) -> HTTPResponse {
        let strip = try await one(target)
        await registry.setDefault(strip.address)
        return .json(await strip.view())
    }

    func forget(_ target: String) async throws(Problem) -> HTTPResponse {
        for strip in try await known(target) { _ = await registry.forget(strip.address) }
        return HTTPResponse(status: 204)
    }

    // MARK: Targets

    private func isSeveral(_ target: String, _ strips: [Strip]) -> Bool {
        target == "all" || target.contains(",") || strips.count > 1
    }

    private func one(_ target: String) async throws(Problem) -> Strip {
        let strips = try await known(target)
        guard strips.count == 1 else {
            throw Problem(.ambiguousTarget, "\(quoted(target)) means \(strips.count) strips; accepted: one of them")
        }
        return strips[0]
    }

    /// At least one strip.
    private func known(_ target: String) async throws(Problem) -> [Strip] {
        do throws(TargetError) {
            return try await registry.resolve(target)
        } catch {
            throw Problem(error)
        }
    }

    /// The strips of a command. The first one of all, that names none, adopts the only strip that is in range.
    private func addressed(_ target: String) async throws(Problem) -> (strips: [Strip], notes: [String]) {
        do throws(TargetError) {
            return (try await registry.resolve(target), [])
        } catch .noneKnown {
            do throws(FirstAdoptionError) {
                let strip = try await registry.adoptTheOnlyOne()
                let name = await strip.view().name.map { " (\(quoted($0)))" } ?? ""
                let note =
                    "adopted \(strip.address)\(name), the only strip in range; stripctl forget \(strip.address) undoes it"
                return ([strip], [note])
            } catch {
                throw Problem(error)
            }
        } catch {
            throw Problem(error)
        }
    }
}

extension Problem {
    init(_ error: TargetError) {
        switch error {
        case .noneKnown:
            self.init(
                .noSuchStrip, "no strip is known yet: stripctl scan lists what is near, stripctl adopt takes one in")
        case .noDefault(let names):
            self.init(
                .noDefault,
                "several strips are known and none is the default; name one of \(names.joined(separator: ", ")), or say stripctl default NAME",
                suggestions: names)
        case .unknown(let word, let suggestions):
            let hint =
                suggestions.isEmpty
                ? "stripctl list shows the known ones" : "did you mean \(suggestions.joined(separator: " or "))?"
            self.init(
                .noSuchStrip, "no strip is called \(quoted(word)); \(hint)",
                suggestions: suggestions.isEmpty ? nil : suggestions)
        case .ambiguous(let word, let aliases):
            self.init(
                .ambiguousTarget, "\(quoted(word)) fits \(aliases.joined(separator: " and ")); write one of them out",
                suggestions: aliases)
        }
    }

    init(_ error: FirstAdoptionError) {
        switch error {
        case .noneHeard(let others):
            let maybe = others.filter { $0.verdict == .maybe }.count
            let more = maybe == 0 ? "" : "; \(maybe) other devices were heard, stripctl scan --all lists them"
            self.init(
                .noneFound,
                "no strip was heard in 10 s: is it powered, near, and not held by a phone app?\(more)",
                found: others.map { FoundStrip($0, known: false, alias: nil) })
        case .several(let strips):
            let list = strips.map { "\($0.address) (\(quoted($0.name ?? "")), \($0.rssi.map(String.init) ?? "?") dBm)" }
            self.init(
                .severalFound,
                "several strips are in range and none was adopted: \(list.joined(separator: ", ")). Take yours with stripctl adopt \(strips.first.map { "\($0.address)" } ?? "ADDRESS") desk",
                found: strips.map { FoundStrip($0, known: false, alias: nil) })
        case .failed(let cause): self.init(failed: cause, strip: nil)
        }
    }
}

extension FoundStrip {
    init(_ heard: HeardDevice, known: Bool, alias: Alias?) {
        self.init(
            address: heard.address, name: heard.name, rssi: heard.rssi, adapter: heard.adapter, verdict: heard.verdict,
            known: known, alias: alias)
    }
}
