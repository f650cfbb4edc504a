// Where the daemon is looked for.

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
