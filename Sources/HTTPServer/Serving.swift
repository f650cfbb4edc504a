import CMicroHTTPD
import EventLoop
import Glibc

/// A connection's life, from its first byte to its last, as MHD tells it.
extension WebServer {
    /// Gives a new connection its place.
    func opened(_ connection: OpaquePointer) -> Int {
        let descriptor = cmhd_socket(connection)
        let place = clients.firstIndex { $0 == nil } ?? clients.count
        if place == clients.count { clients.append(nil) }
        let client = Client(at: place, connection, descriptor, Peer(of: descriptor))
        clients[place] = client
        openClients += 1
        setDeadline(client, after: limits.requestTime)
        return place
    }

    func closed(_ place: Int) {
        clients[place] = nil
        // MHD listens again at the beginning of its next turn only.
        if openClients >= limits.connections { needsExtraTurn = true }
        openClients -= 1
        if openClients == 0 { cancelSweep() }  // nobody is left to be late: no timer, no wake-up
    }

    /// A request line is there.
    func began(_ place: Int, target: String) {
        guard let client = clients[place] else { return }
        setDeadline(client, after: limits.requestTime)
        client.exchange = Exchange(client, target: target)
    }

    /// MHD asks what to do: once with the head, once for each `part` of the body, and at the end with an empty part
    /// until it has an answer.
    func proceed(
        _ place: Int, _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>, _ part: UnsafeRawBufferPointer
    ) -> MHD_Result {
        guard let client = clients[place], let exchange = client.exchange else { return .NO }
        switch exchange.stage {
        case .began(let target):
            return check(exchange, String(cString: method), target, String(cString: version))
        case .receiving(var request):
            guard part.isEmpty else {
                exchange.stage = .sending  // so that the body is not copied
                request.body.append(contentsOf: part)
                exchange.stage =
                    request.body.count <= limits.bodyBytes
                    ? .receiving(request) : .refused(refuse(RequestCheck(limits: limits).bodyTooLong))
                exchange.received = request.body.count
                return .YES
            }
            return handle(request, exchange)
        case .refused(let answer):
            guard part.isEmpty else {
                exchange.received += part.count
                return exchange.received > 4 * limits.bodyBytes ? .NO : .YES
            }
            return send(answer, exchange)
        case .answered(let answer): return send(answer, exchange)
        case .handling, .sending, .streaming, .over: return .NO  // the server is stopping
        }
    }

    private func check(_ exchange: Exchange, _ method: String, _ target: String, _ version: String) -> MHD_Result {
        let client = exchange.client
        let headers = Callbacks.headers(of: client.connection)
        let check = RequestCheck(limits: limits)
        if let problem = check.problem(target: target, version: version, headers: headers) {
            return send(refuse(problem), exchange)  // before the body: MHD skips it, and closes
        }
        guard let (path, query) = RequestCheck.split(target: target) else {
            return send(refuse(.init(400, "The query is malformed.")), exchange)
        }
        exchange.isHead = method == "HEAD"
        exchange.stage = .receiving(
            HTTPRequest(method: method, path: path, query: query, headers: headers, peer: client.peer))
        return .YES
    }

    private func refuse(_ problem: RequestCheck.Problem) -> HTTPResponse { refusal(problem.status, problem.sentence) }

    private func handle(_ request: HTTPRequest, _ exchange: Exchange) -> MHD_Result {
        let client = exchange.client
        client.deadline = nil
        exchange.stage = .handling
        // Begins here and now: an answer that needs no waiting needs no suspended connection either.
        let work = Task.immediate(executorPreference: loop) {
            let answer = await self.handler(request)
            guard case .handling = exchange.stage else { return }
            exchange.stage = .answered(answer)
            self.wake(client)
        }
        if case .answered(let answer) = exchange.stage { return send(answer, exchange) }
        exchange.work = work
        suspend(client)
        return .YES
    }

    /// Gives MHD the answer. One that cannot be sent becomes a 500.
    private func send(_ answer: HTTPResponse, _ exchange: Exchange) -> MHD_Result {
        let client = exchange.client
        setDeadline(client, after: limits.idleTime)
        if let response = response(to: exchange, answer) {
            defer { MHD_destroy_response(response) }
            if MHD_queue_response(client.connection, UInt32(clamping: answer.status), response) == .YES { return .YES }
        }
        let problem = refusal(500, "The answer to this request cannot be sent.")
        guard let response = response(to: exchange, problem) else { return .NO }
        defer { MHD_destroy_response(response) }
        return MHD_queue_response(client.connection, 500, response)
    }

    private func response(to exchange: Exchange, _ answer: HTTPResponse) -> OpaquePointer? {
        let made: OpaquePointer?
        switch answer.body {
        case .bytes(let bytes):
            exchange.stage = .sending
            made = bytes.withUnsafeBytes {
                MHD_create_response_from_buffer(
                    $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .stream(let chunks):
            exchange.stage = .streaming(.unopened(chunks))
            made = Callbacks.streamedResponse(exchange.client.place, of: self)
            if exchange.isHead, let made { cmhd_never_chunk(made) }
        }
        guard let made else { return nil }
        for (name, value) in answer.headers {
            // Refused are line breaks, and what MHD sets itself.
            guard MHD_add_response_header(made, name, value) == .YES else {
                MHD_destroy_response(made)
                return nil
            }
        }
        if phase != .serving { MHD_add_response_header(made, "Connection", "close") }
        return made
    }

    /// The answer has left, or its client has.
    func completed(_ place: Int) {
        guard let client = clients[place], let exchange = client.exchange else { return }
        if case .streaming(let flow) = exchange.stage {
            if case .unopened = flow {} else { loop.unwatch(client.descriptor) }
            exchange.work?.cancel()
            release(flow)
        }
        exchange.stage = .over
        client.exchange = nil
        setDeadline(client, after: limits.idleTime)
        if phase == .draining { drain(client) }
    }

    func suspend(_ client: Client) {
        guard !client.isSuspended else { return }
        client.isSuspended = true
        MHD_suspend_connection(client.connection)
    }

    func wake(_ client: Client) {
        guard client.isSuspended else { return }
        client.isSuspended = false
        MHD_resume_connection(client.connection)
        turn()
    }

    // MARK: The end

    /// Lets a client finish what it has begun.
    func drain(_ client: Client) {
        switch client.exchange?.stage {
        // A request that has been sent is still read and answered; then MHD sees the end.
        case nil: shutdown(client.descriptor, CInt(SHUT_RD))
        case .streaming: endStream(client)
        default: break
        }
    }

    /// Cancels what is done for a client, and makes MHD close the connection when it asks next.
    func abandon(_ client: Client) {
        client.exchange?.work?.cancel()
        if case .streaming = client.exchange?.stage { endStream(client) }
        wake(client)
    }
}
