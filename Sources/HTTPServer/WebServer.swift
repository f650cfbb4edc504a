import CMicroHTTPD
public import EventLoop
import Glibc

/// An HTTP/1.1 server on an `EventLoop`, for local clients.
///
/// libmicrohttpd reads and writes the wire. It has no thread of its own: its epoll descriptor is watched by the loop
/// that is this actor's executor, so that its callbacks may enter the actor synchronously, and nothing runs while
/// nothing happens.
public actor WebServer {
    /// Answers one request. It runs on the loop. A client that hangs up meanwhile withdraws nothing: the handler goes
    /// on and its answer is dropped.
    public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse
    /// Makes the answer to a request that the server itself refuses, from a status and a sentence for people.
    public typealias Refusal = @Sendable (_ status: Int, _ sentence: String) -> HTTPResponse

    let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    let limits: Limits
    let refusal: Refusal
    let handler: Handler

    /// One for each listening socket.
    private var daemons: [(daemon: OpaquePointer, epoll: Int32, socket: ListeningSocket)] = []
    /// A connection's place stays its own until it is closed.
    var clients: [Client?] = []
    var openClients = 0
    enum Phase {
        case serving, draining, stopped
    }
    private(set) var phase = Phase.serving
    private var drained: CheckedContinuation<Void, Never>?
    /// `MHD_run` is on the stack: it must not be entered again.
    private var isTurning = false
    var needsExtraTurn = false
    private var extraTurn: TimerID?
    /// Extra turns in a row, with nothing from outside between them.
    private var extraTurns = 0
    private var sweep: (timer: TimerID, due: Duration)?

    public init(
        on loop: EventLoop, limits: Limits = Limits(), refusal: @escaping Refusal = WebServer.plainRefusal,
        handler: @escaping Handler
    ) {
        self.loop = loop
        self.limits = limits
        self.refusal = refusal
        self.handler = handler
    }

    isolated deinit { precondition(daemons.isEmpty, "a WebServer was dropped before it was stopped") }

    /// One line of plain text.
    public static let plainRefusal: Refusal = { status, sentence in
        HTTPResponse(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")],
            body: .bytes(Array((sentence + "\n").utf8)))
    }

    /// Serves `socket` from now on, and closes it in the end.
    public func listen(on socket: ListeningSocket) throws(Errno) {
        guard phase == .serving else { throw Errno(code: ECANCELED) }
        guard let daemon = Callbacks.start(socket.descriptor, limits: limits, for: self) else { throw Errno.last }
        let epoll = cmhd_epoll_fd(daemon)
        daemons.append((daemon, epoll, socket))
        loop.watch(epoll, for: .readable) { [unowned self] _ in
            self.assumeIsolated {
                $0.extraTurns = 0
                $0.turn()
            }
        }
    }

    /// Stops accepting, ends streams at once, lets other exchanges end for at most `limit`, then stops.
    public func drain(within limit: Duration) async {
        await leaveTurn()
        guard phase == .serving else { return }
        phase = .draining
        stopAccepting()
        for client in clients { if let client { drain(client) } }
        turn()
        if openClients > 0 {
            let timer = loop.schedule(after: limit) { [unowned self] in self.assumeIsolated { $0.finishDraining() } }
            await withCheckedContinuation { drained = $0 }
            loop.cancel(timer)
        }
        await stop()
    }

    /// Ends every connection at once. Must have been called (by itself or by `drain`) before the server is dropped.
    public func stop() async {
        await leaveTurn()
        guard phase != .stopped else { return }
        if phase == .serving { stopAccepting() }
        phase = .stopped
        isTurning = true
        // Stopping MHD with suspended connections is undefined: each is resumed, and closes when it is asked.
        for client in clients { if let client { abandon(client) } }
        if let extraTurn { loop.cancel(extraTurn) }
        cancelSweep()
        for (daemon, epoll, _) in daemons {
            loop.unwatch(epoll)
            var pending: CUnsignedLongLong = 0
            var turns = 0
            repeat {  // the last chunks of streams
                MHD_run(daemon)
                turns += 1
            } while turns < 8 && MHD_get_timeout(daemon, &pending) == .YES
            MHD_stop_daemon(daemon)
        }
        isTurning = false
        daemons = []
        finishDraining()
    }

    private func stopAccepting() {
        for (daemon, _, socket) in daemons where MHD_quiesce_daemon(daemon) >= 0 { socket.close() }
    }

    private func finishDraining() {
        drained?.resume()
        drained = nil
    }

    // MARK: Driving MHD

    /// Lets MHD do what it can do without waiting.
    func turn() {
        guard !isTurning, phase != .stopped else { return }
        isTurning = true
        for (daemon, _, _) in daemons {
            MHD_run(daemon)
            // With its time-outs off, MHD names only one time: now.
            var milliseconds: CUnsignedLongLong = 0
            if MHD_get_timeout(daemon, &milliseconds) == .YES { needsExtraTurn = true }
        }
        isTurning = false
        if !needsExtraTurn { extraTurns = 0 }
        if needsExtraTurn, extraTurn == nil {
            needsExtraTurn = false
            // A client whose chunk header outgrows MHD's memory makes it ask for turns in vain until it is cut.
            let pause: Duration = extraTurns < 1000 ? .zero : .milliseconds(10)
            extraTurn = loop.schedule(after: pause) { [unowned self] in
                self.assumeIsolated {
                    $0.extraTurn = nil
                    $0.extraTurns += 1
                    $0.turn()
                }
            }
        }
        if phase == .draining, openClients == 0 { finishDraining() }
    }

    /// A handler may run inside `MHD_run`; what ends daemons may not.
    private func leaveTurn() async {
        while isTurning { await loop.turn() }
    }

    // MARK: Deadlines

    func setDeadline(_ client: Client, after time: Duration) {
        let due = loop.now + time
        client.deadline = due
        if let sweep {
            if sweep.due <= due { return }
            loop.cancel(sweep.timer)
        }
        scheduleSweep(due)
    }

    /// One timer for all: it is set for the earliest deadline that it knew of, and looks again when it fires. Most
    /// deadlines never come, and cost a stored number.
    private func scheduleSweep(_ due: Duration) {
        let timer = loop.schedule(after: due - loop.now) { [unowned self] in self.assumeIsolated { $0.cutTheLate() } }
        sweep = (timer, due)
    }

    func cancelSweep() {
        if let sweep { loop.cancel(sweep.timer) }
        sweep = nil
    }

    private func cutTheLate() {
        sweep = nil
        let now = loop.now
        var next: Duration?
        for case let client? in clients {
            guard let deadline = client.deadline else { continue }
            if deadline <= now {
                client.deadline = nil
                shutdown(client.descriptor, CInt(SHUT_RDWR))  // MHD sees it, and closes
            } else {
                next = min(next ?? deadline, deadline)
            }
        }
        if let next { scheduleSweep(next) }
    }
}
