import EventLoop
import HTTPServer
import StripAPI
import StripCore
import StripModel

/// Leads each request to its handler, once it is known to be one that may be answered.
struct Router: Sendable {
    let strips: StripHandlers
    let changes: ChangeHandlers
    let house: HouseHandlers
    let waiting: WaitingRoom
    let log: Log

    init(
        _ registry: StripRegistry, house: HouseHandlers, waiting: WaitingRoom, timing: Timing, log: Log,
        on loop: EventLoop
    ) {
        let targets = Targets(registry: registry)
        let writes = WriteLog(log: log)
        strips = StripHandlers(registry: registry, targets: targets, writes: writes)
        changes = ChangeHandlers(
            registry: registry, targets: targets, commands: Commands(writes: writes, loop: loop), timing: timing)
        self.house = house
        self.waiting = waiting
        self.log = log
    }

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do throws(Problem) {
            try RequestRules.checkSender(of: request)
            return try await dispatch(request)
        } catch {
            log(
                .info,
                "\(request.peer.text): \(request.method) \(quoted(request.path)): \(error.status) \(error.detail)")
            return .problem(error)
        }
    }

    private func dispatch(_ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        guard let segments = request.pathSegments() else {
            throw Problem(.noSuchRoute, "the path \(quoted(request.path)) is not well-formed")
        }
        switch Route.match(method: request.method, segments: segments) {
        case .notFound: throw Problem(.noSuchRoute, "there is nothing at \(quoted(request.path)); see /v1/strips")
        case .methodNotAllowed(let allowed):
            let list = (allowed + (allowed.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]).joined(separator: ", ")
            if request.method == "OPTIONS" { return HTTPResponse(status: 204, headers: [("Allow", list)]) }
            let problem = Problem(
                .methodNotAllowed, "\(quoted(request.method)) is not taken here; accepted: \(list)")
            return .problem(problem, extra: [("Allow", list)])
        case .found(let route, let parameter):
            try RequestRules.checkQuery(of: request, to: route)
            try RequestRules.checkBody(of: request)
            guard WaitingRoom.isNeeded(for: route, request) else {
                return try await handle(route, parameter ?? "", request)
            }
            try await waiting.enter()
            do throws(Problem) {
                let response = try await handle(route, parameter ?? "", request)
                await waiting.leave()
                return response
            } catch {
                await waiting.leave()
                throw error
            }
        }
    }

    private func handle(_ route: Route, _ target: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse
    {
        switch route {
        case .strips: await strips.list()
        case .strip: try await strips.show(target)
        case .change: try await changes.change(target, request)
        case .toggle: try await changes.toggle(target, request)
        case .release: try await strips.release(target, request)
        case .refresh: try await changes.refresh(target, request)
        case .adopt: try await strips.adopt(target, request)
        case .alias: try await strips.setAlias(target, request)
        case .makeDefault: try await strips.makeDefault(target, request)
        case .forget: try await strips.forget(target, request)
        case .effects: .json(EffectList.all)
        case .scan: try await house.scan(request)
        case .adapters: await house.adapters()
        case .events: try await house.events(request)
        case .health: await house.health()
        }
    }
}
