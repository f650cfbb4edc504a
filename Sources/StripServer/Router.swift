import HTTPServer
import StripAPI
import StripCore
import StripModel

/// Leads each request to its handler, once it is known to be one that may be answered.
struct Router: Sendable {
    let strips: StripHandlers
    let house: HouseHandlers
    let log: Log

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do throws(Problem) {
            try checkSender(of: request)
            return try await dispatch(request)
        } catch {
            log(
                .info, "\(request.method) \(quoted(request.path)) from \(request.peer): \(error.status) \(error.detail)"
            )
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
            let problem = Problem(.methodNotAllowed, "\(request.method) is not taken here; accepted: \(list)")
            return .problem(problem, extra: [("Allow", list)])
        case .found(let route, let parameter):
            try checkBody(of: request)
            return try await handle(route, parameter ?? "", request)
        }
    }

    private func handle(_ route: Route, _ target: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse
    {
        switch route {
        case .strips: await strips.list()
        case .strip: try await strips.show(target)
        case .change: try await strips.change(target, request)
        case .toggle: try await strips.toggle(target, request)
        case .release: try await strips.release(target)
        case .refresh: try await strips.refresh(target, request)
        case .adopt: try await strips.adopt(target, request)
        case .alias: try await strips.setAlias(target, request)
        case .makeDefault: try await strips.makeDefault(target)
        case .forget: try await strips.forget(target)
        case .effects: .json(EffectList.all)
        case .scan: try await house.scan(request)
        case .adapters: await house.adapters()
        case .events: await house.events()
        case .health: await house.health()
        case .openAPI, .metrics, .page: throw Problem(.noSuchRoute, "\(quoted(request.path)) is not there yet")
        }
    }

    /// A browser says where a page comes from; no page of another origin may talk to the lights.
    private func checkSender(of request: HTTPRequest) throws(Problem) {
        if let origin = request.headers["origin"] {
            throw Problem(.refusedOrigin, "a request that comes from the web page \(quoted(origin)) is refused")
        }
    }

    /// A body must say that it is JSON: a form on a web page cannot.
    private func checkBody(of request: HTTPRequest) throws(Problem) {
        guard !request.body.isEmpty else { return }
        let type = request.headers["content-type"]?.split(separator: ";").first.map {
            $0.lowercased().filter { $0 != " " }
        }
        guard type == "application/json" || type == "application/merge-patch+json" else {
            throw Problem(
                .mediaType,
                "the body is \(quoted(type ?? "of no stated type")); accepted: application/json, application/merge-patch+json"
            )
        }
    }
}
