import HTTPServer
import StripAPI
import StripCore
import StripModel

/// What can be asked about strips that does not change their light: who is known, by what name, and whether a link to
/// them is kept.
struct StripHandlers: Sendable {
    let registry: StripRegistry
    let targets: Targets
    let writes: WriteLog

    func list() async -> HTTPResponse { .json(StripList(strips: await views(of: await registry.ordered))) }

    func show(_ target: String) async throws(Problem) -> HTTPResponse {
        await shown(try await targets.known(target), as: target)
    }

    func release(_ target: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let strips = try await targets.known(target)
        for strip in strips {
            await strip.release()
            writes.note(request.peer, .release, await strip.view())
        }
        return await shown(strips, as: target)
    }

    func adopt(_ text: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let alias = try request.members(["alias"]).alias()
        let address: BluetoothAddress
        do throws(InvalidValue) {
            address = try BluetoothAddress(parsing: text)
        } catch {
            throw Problem(error)
        }
        let wasKnown = await registry.knows(address)
        let strip: Strip
        do throws(InvalidValue) {
            strip = try await registry.adopt(address, as: alias ?? nil)
        } catch {
            throw Problem(.aliasTaken, "\(error)")
        }
        let view = await strip.view()
        writes.note(request.peer, .adopt, view)
        try await keep()
        return .json(view, status: wasKnown ? 200 : 201)
    }

    /// `null` takes the alias away.
    func setAlias(_ target: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        guard let alias = try request.members(["alias"]).alias() else {
            throw Problem(
                InvalidValue(
                    text: "alias", problem: "is missing", accepted: #"{"alias": "desk"}, or null to take it away"#,
                    member: "alias"))
        }
        let strip = try await targets.one(target)
        do throws(InvalidValue) {
            try await registry.setAlias(alias, of: strip.address)
        } catch {
            throw Problem(.aliasTaken, "\(error)")
        }
        let view = await strip.view()
        writes.note(request.peer, .name, view)
        try await keep()
        return .json(view)
    }

    func makeDefault(_ target: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let strip = try await targets.one(target)
        await registry.setDefault(strip.address)
        let view = await strip.view()
        writes.note(request.peer, .makeDefault, view)
        try await keep()
        return .json(view)
    }

    func forget(_ target: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        for strip in try await targets.known(target) {
            let view = await strip.view()
            if await registry.forget(strip.address) { writes.note(request.peer, .forget, view) }
        }
        try await keep()
        return HTTPResponse(status: 204)
    }

    /// Who is known is on disk before the answer goes out, or the answer says that it is not.
    private func keep() async throws(Problem) {
        if let problem = await registry.keep() {
            throw Problem(.notKept, "it is done, but will be forgotten when stripd stops: \(problem)")
        }
    }

    private func shown(_ strips: [Strip], as target: String) async -> HTTPResponse {
        let views = await views(of: strips)
        if !targets.isSeveral(target), let only = views.first { return .json(only) }
        return .json(StripList(strips: views))
    }

    private func views(of strips: [Strip]) async -> [StripView] {
        var views: [StripView] = []
        for strip in strips { views.append(await strip.view()) }
        return views
    }
}
