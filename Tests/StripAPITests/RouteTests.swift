// Which method and path lead where, and how the client writes them.

import Testing

@testable import StripAPI

@Suite struct RouteTests {
    static let found: [(String, String, Route, String?)] = [
        ("GET", "v1/strips", .strips, nil), ("GET", "v1/strips/desk", .strip, "desk"),
        ("HEAD", "v1/strips/desk", .strip, "desk"), ("PATCH", "v1/strips/desk,shelf", .change, "desk,shelf"),
        ("POST", "v1/strips/desk", .change, "desk"),
        ("PUT", "v1/strips/ff:ff:38:5b:40:65", .adopt, "ff:ff:38:5b:40:65"),
        ("DELETE", "v1/strips/desk", .forget, "desk"), ("POST", "v1/strips/all/toggle", .toggle, "all"),
        ("POST", "v1/strips/toggle/release", .release, "toggle"), ("POST", "v1/strips/desk/refresh", .refresh, "desk"),
        ("PUT", "v1/strips/desk/alias", .alias, "desk"), ("PUT", "v1/strips/desk/default", .makeDefault, "desk"),
        ("GET", "v1/effects", .effects, nil), ("POST", "v1/scan", .scan, nil), ("GET", "v1/adapters", .adapters, nil),
        ("GET", "v1/events", .events, nil), ("GET", "v1/health", .health, nil),
    ]

    @Test(arguments: found) func aRouteIsFound(_ method: String, _ path: String, _ route: Route, _ parameter: String?) {
        #expect(
            Route.match(method: method, segments: path.split(separator: "/").map(String.init))
                == .found(route, parameter: parameter))
    }

    @Test(arguments: ["v2/strips", "v1", "v1/strips/desk/frobnicate", "v1/strips/desk/alias/x", "v1/Strips"])
    func otherPathsLeadNowhere(_ path: String) {
        #expect(Route.match(method: "GET", segments: path.split(separator: "/").map(String.init)) == .notFound)
    }

    @Test func aWrongMethodIsToldTheRightOnes() {
        #expect(
            Route.match(method: "TRACE", segments: ["v1", "strips", "desk"])
                == .methodNotAllowed(allowed: ["GET", "PATCH", "POST", "PUT", "DELETE"]))
        #expect(
            Route.match(method: "GET", segments: ["v1", "strips", "desk", "toggle"])
                == .methodNotAllowed(allowed: ["POST"]))
    }

    @Test("users.md 126: no GET changes anything") func getOnlyLooks() {
        let looking: [Route] = [.strips, .strip, .effects, .adapters, .events, .health]
        for route in Route.allCases {
            #expect(route.row.methods.contains("GET") == looking.contains(route), "\(route)")
        }
    }

    @Test(
        arguments: [
            (Route.strips, [], "/v1/strips"), (.change, ["desk", "shelf"], "/v1/strips/desk,shelf"),
            (.alias, ["ff:ff:38:5b:40:65"], "/v1/strips/ff:ff:38:5b:40:65/alias"),
            (.strip, ["a/b?c#d e%é,"], "/v1/strips/a%2Fb%3Fc%23d%20e%25%C3%A9%2C"),
        ] as [(Route, [String], String)]) func aPathIsWrittenForItsTargets(
            _ route: Route, _ targets: [String], _ path: String
        )
    {
        #expect(route.path(targets) == path)
    }
}
