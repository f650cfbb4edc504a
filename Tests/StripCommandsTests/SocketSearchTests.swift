// Where the daemon is looked for.

import StripAPI
import Testing

@testable import StripCommands

@Suite struct SocketSearchTests {
    struct Case: Sendable {
        var option: String?
        var environment: [String: String] = [:]
        var sockets: Set<String> = []
        var path: String
        var passedOver: [String] = []
    }

    static let cases = [
        Case(option: "/a", environment: ["STRIPD_SOCKET": "/b"], path: "/a"),
        Case(environment: ["STRIPD_SOCKET": "/b", "XDG_RUNTIME_DIR": "/x"], sockets: ["/x/stripd.sock"], path: "/b"),
        Case(environment: ["XDG_RUNTIME_DIR": "/x"], sockets: ["/x/stripd.sock"], path: "/x/stripd.sock"),
        Case(
            environment: ["XDG_RUNTIME_DIR": "/x"], sockets: ["/run/user/1000/stripd.sock"],
            path: "/run/user/1000/stripd.sock"),
        Case(sockets: ["/run/user/1000/stripd.sock"], path: "/run/user/1000/stripd.sock"),
        Case(
            environment: ["STRIPD_SOCKET": "", "XDG_RUNTIME_DIR": ""], path: "/run/stripd/stripd.sock",
            passedOver: ["/run/user/1000/stripd.sock"]),
        Case(
            environment: ["XDG_RUNTIME_DIR": "/x"], path: "/run/stripd/stripd.sock",
            passedOver: ["/x/stripd.sock", "/run/user/1000/stripd.sock"]),
        Case(
            environment: ["XDG_RUNTIME_DIR": "/run/user/1000"], path: "/run/stripd/stripd.sock",
            passedOver: ["/run/user/1000/stripd.sock"]),
    ]

    @Test("users.md 119: in cron's bare environment the system's socket is tried, and named")
    func bareEnvironment() {
        let search = SocketSearch(option: nil, in: .still)
        let advice = search.advice(on: .unreachable(path: search.path, SystemError(code: 2))) { _ in nil }
        #expect(
            advice.hasPrefix(
                "no daemon answers at /run/stripd/stripd.sock: No such file or directory "
                    + "(nor is there a socket at /run/user/1000/stripd.sock)\n"))
    }

    @Test(arguments: cases) func theFirstPlaceThatHoldsIsTaken(_ example: Case) {
        var surroundings = Surroundings.still
        let (environment, sockets) = (example.environment, example.sockets)
        surroundings.environment = { environment[$0] }
        surroundings.isSocket = { sockets.contains($0) }
        let search = SocketSearch(option: example.option, in: surroundings)
        #expect(search.path == example.path)
        #expect(search.passedOver == example.passedOver)
    }
}
