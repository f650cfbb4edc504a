// The POSIX calls of this target: one blocking stream socket, connected to a path, that gives up in time.

import Glibc

/// A connection to a Unix socket; closed when it goes.
struct LocalSocket: ~Copyable {
    private let descriptor: Int32

    init(connectingTo path: String) throws(ClientError) { descriptor = try Self.connected(to: path) }

    private static func connected(to path: String) throws(ClientError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, bytes.count < capacity, !bytes.contains(0) else { throw .badPath(path) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .unreachable(path: path, SystemError.last) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let connected = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard connected == 0 else {
            let error = SystemError.last
            close(descriptor)
            throw error.code == EACCES || error.code == EPERM
                ? .notAllowed(path: path) : .unreachable(path: path, error)
        }
        return descriptor
    }

    deinit { close(descriptor) }

    /// Sends all of it. A daemon that hangs up early may have answered why: that is for the reader to find out.
    borrowing func send(_ bytes: [UInt8]) throws(ClientError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno == EPIPE || errno == ECONNRESET {
                return
            } else if errno != EINTR {
                throw .broken(SystemError.last)
            }
        }
    }

    /// Waits until there is something to read: false if there was nothing until then. `nil` waits for ever.
    borrowing func waitForInput(until deadline: Deadline?) throws(ClientError) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let left = deadline?.millisecondsLeft ?? -1
            let count = poll(&entry, 1, Int32(clamping: left))
            if count > 0 { return true }
            if count == 0 { return false }
            if errno != EINTR { throw .broken(SystemError.last) }
        }
    }

    /// The next bytes; empty at the end.
    borrowing func receive(into buffer: inout [UInt8]) throws(ClientError) -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count >= 0 { return count }
            if errno == ECONNRESET { return 0 }
            if errno != EINTR { throw .broken(SystemError.last) }
        }
    }
}

/// A failed system call's error number. `EventLoop` has the same, which this target cannot use: a program that is static
/// and starts in a millisecond stands on it.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value of `errno`.
    public let code: Int32
    public init(code: Int32) { self.code = code }

    static var last: SystemError { SystemError(code: errno) }

    public var description: String {
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }
}

/// A point in time at which patience ends.
struct Deadline {
    private let milliseconds: Int

    init(afterSeconds seconds: Int) { milliseconds = Self.now + seconds * 1000 }

    var millisecondsLeft: Int { max(0, milliseconds - Self.now) }

    private static var now: Int {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
    }
}
