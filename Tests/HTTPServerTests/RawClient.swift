import EventLoop
import Glibc

/// A client that sends exactly the bytes it is given. Waiting for an answer blocks no thread.
final class RawClient: Sendable {
    struct Reply: Hashable {
        var status: Int
        var headers: [String: String]
        var body: String
        /// A chunked body without its last chunk, or a body that is too short.
        var isCut = false
    }

    struct Failure: Error, CustomStringConvertible { let description: String }

    let descriptor: Int32
    nonisolated(unsafe) private var buffer: [UInt8] = []

    private let loop: EventLoop

    init(unix path: String, on loop: EventLoop) throws {
        self.loop = loop
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try connect(&address)
    }

    init(tcp port: UInt16, on loop: EventLoop) throws {
        self.loop = loop
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try connect(&address)
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    private func connect<Address>(_ address: inout Address) throws {
        let failed = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard failed == 0 else { throw Failure(description: "connect: errno \(errno)") }
    }

    /// False once the server has closed.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Says that nothing more will come; the answer can still be read.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Goes without a word: nothing can be sent or received from here on.
    func vanish() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Makes closing a TCP connection a reset.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// True when the server has closed and nothing is left to read.
    func isAtEnd() async -> Bool { buffer.isEmpty ? await !fill() : false }

    /// The next answer; nil if the server closed without one.
    func reply(toHead: Bool = false) async throws -> Reply? {
        guard let head = try await line(endingWith: "\r\n\r\n") else { return nil }
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, let status = Int(words[1]) else { throw Failure(description: "not HTTP: \(head)") }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw Failure(description: "not a header: \(line)") }
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        var reply = Reply(status: status, headers: headers, body: "")
        if toHead || status == 204 || status == 304 || status < 200 { return reply }
        if headers["transfer-encoding"] == "chunked" {
            while let chunk = try await chunk() {
                if chunk.isEmpty { return reply }
                reply.body += chunk
            }
            reply.isCut = true
        } else if let length = headers["content-length"].flatMap({ Int($0) }) {
            reply.body = await take(length)
            reply.isCut = reply.body.utf8.count < length
        } else {
            while await fill() {}
            reply.body = await take(buffer.count)
        }
        return reply
    }

    /// The head of an answer whose body comes in pieces.
    func head() async throws -> String? { try await line(endingWith: "\r\n\r\n") }

    /// The next piece of a chunked body, empty for the last; nil if the server closed instead.
    func chunk() async throws -> String? {
        guard let size = try await line(endingWith: "\r\n") else { return nil }
        guard let count = Int(size, radix: 16) else { throw Failure(description: "not a chunk: \(size)") }
        let body = await take(count + 2)
        return body.utf8.count == count + 2 ? String(decoding: body.utf8.dropLast(2), as: UTF8.self) : nil
    }

    private func line(endingWith end: String) async throws -> String? {
        while true {
            if let range = buffer.firstRange(of: Array(end.utf8)) {
                defer { buffer.removeFirst(range.upperBound) }
                return String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
            }
            guard await fill() else { return nil }
        }
    }

    private func take(_ count: Int) async -> String {
        while buffer.count < count, await fill() {}
        defer { buffer.removeFirst(min(count, buffer.count)) }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    private func fill() async -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                buffer += bytes[..<count]
                return true
            }
            guard count < 0, errno == EAGAIN else { return false }
            await readable()
        }
    }

    private func readable() async {
        await withCheckedContinuation { (ready: CheckedContinuation<Void, Never>) in
            Task(executorPreference: loop) { [self] in
                loop.watch(descriptor, for: .readable) { [self] _ in
                    loop.unwatch(descriptor)
                    ready.resume()
                }
            }
        }
    }
}
