import EventLoop
import Glibc

/// A connection to the daemon's socket on which a test writes HTTP by hand.
actor RawConnection {
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let descriptor: Int32
    private var received: [UInt8] = []
    private var hasEnded = false
    private var waiters: [(text: String?, waiter: CheckedContinuation<String, Never>)] = []

    private init(_ descriptor: Int32, on loop: EventLoop) { (self.descriptor, self.loop) = (descriptor, loop) }

    static func open(_ path: String, on loop: EventLoop) async throws -> RawConnection {
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard withSocketAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
            defer { Glibc.close(descriptor) }
            throw Errno.last
        }
        let connection = RawConnection(descriptor, on: loop)
        await connection.watch()
        return connection
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// All that came, once it contains `text` or the other side closed.
    func received(upTo text: String?) async -> String {
        await withCheckedContinuation { waiter in
            // Asked in here: between a look outside and the wait another job of this actor may run.
            let soFar = String(decoding: received, as: UTF8.self)
            if hasEnded || text.map(soFar.contains) == true {
                waiter.resume(returning: soFar)
            } else {
                waiters.append((text, waiter))
            }
        }
    }

    func close() {
        guard !hasEnded else { return }
        hasEnded = true
        loop.unwatch(descriptor)
        Glibc.close(descriptor)
        answer()
    }

    private func watch() {
        loop.watch(descriptor, for: .readable) { _ in self.assumeIsolated { $0.read() } }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return close() }
        received += buffer[..<count]
        answer()
    }

    private func answer() {
        let soFar = String(decoding: received, as: UTF8.self)
        let asked = waiters
        waiters = []
        for (text, waiter) in asked {
            if hasEnded || text.map(soFar.contains) == true {
                waiter.resume(returning: soFar)
            } else {
                waiters.append((text, waiter))
            }
        }
    }
}

/// An answer as it came, taken apart.
struct HTTPReply: Hashable, Sendable {
    var status: Int
    /// Names in lower case.
    var headers: [String: String]
    var body: String

    init(_ text: String) {
        let lines: Substring
        if let end = text.firstRange(of: "\r\n\r\n") {
            (lines, body) = (text[..<end.lowerBound], String(text[end.upperBound...]))
        } else {
            (lines, body) = (text[...], "")
        }
        let head = lines.split(separator: "\r\n")
        status = head.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
        headers = [:]
        for line in head.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.last.map { String($0.drop { $0 == " " }) }
        }
    }

    var json: JSON { JSON(parsing: body) }
}

extension House {
    /// Sends a request (`"PATCH /v1/strips/desk"`) on a connection of its own.
    nonisolated func http(_ line: String, _ body: String? = nil, _ headers: [String] = []) async throws -> HTTPReply {
        let connection = try await RawConnection.open(socket, on: loop)
        var head = ["\(line) HTTP/1.1", "Host: localhost", "Connection: close"] + headers
        if let body {
            head.append("Content-Length: \(body.utf8.count)")
            if !headers.contains(where: { $0.lowercased().hasPrefix("content-type:") }) {
                head.append("Content-Type: application/json")
            }
        }
        await connection.send(head.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
        let reply = await connection.received(upTo: nil)
        await connection.close()
        return HTTPReply(reply)
    }
}
