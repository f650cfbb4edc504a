import EventLoop
import HTTPServer
import StripAPI

/// Keeps half of the connections for those who do not wait: an answer that is held back holds a connection.
actor WaitingRoom {
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let seats: Int
    private var taken = 0

    init(seats: Int = WebServer.Limits().connections / 2, on loop: EventLoop) {
        self.seats = seats
        self.loop = loop
    }

    /// To be answered by `leave`.
    ///
    /// - Throws: a `busy` problem if as many wait already.
    func enter() throws(Problem) {
        guard taken < seats else {
            throw Problem(.busy, "\(seats) requests wait already; try again, or send this one without wait")
        }
        taken += 1
    }

    func leave() { taken -= 1 }

    /// Whether the answer to this request is held back.
    static func isNeeded(for route: Route, _ request: HTTPRequest) -> Bool {
        switch route {
        case .scan, .refresh: true
        case .change, .toggle: request.queryValue("wait").map { $0 != "0" } ?? false
        default: false
        }
    }
}
