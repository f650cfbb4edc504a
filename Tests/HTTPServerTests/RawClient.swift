import Glibc

/// A client that sends exactly the bytes it is given. Blocking, with a time-out of its own against a test that would
/// hang.
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

    init(unix path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try connect(&address)
    }

    init(tcp port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try connect(&address)
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    private func connect<Address>(_ address: inout Address) throws {
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
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
    func isAtEnd() -> Bool { buffer.isEmpty && !fill() }

    /// The next answer; nil if the server closed without one.
    func reply(toHead: Bool = false) throws -> Reply? {
        guard let head = try line(endingWith: "\r\n\r\n") else { return nil }
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
            while let chunk = try chunk() {
                if chunk.isEmpty { return reply }
                reply.body += chunk
            }
            reply.isCut = true
        } else if let length = headers["content-length"].flatMap({ Int($0) }) {
            reply.body = take(length)
            reply.isCut = reply.body.utf8.count < length
        } else {
            while fill() {}
            reply.body = take(buffer.count)
        }
        return reply
    }

    /// The head of an answer whose body comes in pieces.
    func head() throws -> String? { try line(endingWith: "\r\n\r\n") }

    /// The next piece of a chunked body, empty for the last; nil if the server closed instead.
    func chunk() throws -> String? {
        guard let size = try line(endingWith: "\r\n") else { return nil }
        guard let count = Int(size, radix: 16) else { throw Failure(description: "not a chunk: \(size)") }
        let body = take(count + 2)
        return body.utf8.count == count + 2 ? String(decoding: body.utf8.dropLast(2), as: UTF8.self) : nil
    }

    private func line(endingWith end: String) throws -> String? {
        while true {
            if let range = buffer.firstRange(of: Array(end.utf8)) {
                defer { buffer.removeFirst(range.upperBound) }
                return String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
            }
            guard fill() else { return nil }
        }
    }

    private func take(_ count: Int) -> String {
        while buffer.count < count, fill() {}
        defer { buffer.removeFirst(min(count, buffer.count)) }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    private func fill() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        buffer += bytes[..<count]
        return true
    }
}
