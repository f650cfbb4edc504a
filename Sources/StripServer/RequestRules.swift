import HTTPServer
import StripAPI
import StripModel

/// What every request has to keep to before a handler sees it.
enum RequestRules {
    /// A browser says where a page comes from; no page of another origin may talk to the lights.
    static func checkSender(of request: HTTPRequest) throws(Problem) {
        if let origin = request.headers["origin"] {
            throw Problem(.refusedOrigin, "a request that comes from the web page \(quoted(origin)) is refused")
        }
    }

    /// A body must say that it is JSON: a form on a web page cannot.
    static func checkBody(of request: HTTPRequest) throws(Problem) {
        guard !request.body.isEmpty else { return }
        let accepted = ["application/json", "application/merge-patch+json"]
        let stated = request.headers["content-type"]
        let type = stated?.split(separator: ";").first.map { $0.lowercased().filter { $0 != " " } }
        guard let type, accepted.contains(type) else {
            let found = stated.map { "is \(quoted($0))" } ?? "does not say what it is"
            throw Problem(
                .mediaType, "the body \(found); accepted: Content-Type \(accepted.joined(separator: " or "))")
        }
    }

    /// A misspelt `dry_run` must not change the light.
    static func checkQuery(of request: HTTPRequest, to route: Route) throws(Problem) {
        let known = names(in: route)
        for (index, (name, _)) in request.query.enumerated() {
            guard known.contains(name) else {
                let accepted = known.isEmpty ? "none" : known.joined(separator: ", ")
                throw Problem(
                    InvalidValue(
                        text: name, problem: "is not a parameter here", accepted: accepted,
                        suggestions: suggestions(for: name, among: known), member: name, fault: .unknownMember))
            }
            guard !request.query[..<index].contains(where: { $0.name == name }) else {
                throw Problem(
                    InvalidValue(
                        text: name, problem: "is there more than once", accepted: "each parameter once", member: name))
            }
        }
    }

    private static func names(in route: Route) -> [String] {
        switch route {
        case .change: ["wait", "dry_run"]
        case .toggle: ["wait", "deadline"]
        case .refresh: ["wait"]
        default: []
        }
    }
}
