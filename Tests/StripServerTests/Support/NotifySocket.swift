import EventLoop
import Glibc

/// What systemd listens on for `sd_notify`.
final class NotifySocket: Sendable {
    let path: String
    /// Each message as it was sent.
    let messages: AsyncStream<String>

    init(at path: String, on loop: EventLoop) throws {
        self.path = path
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Errno.last }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0 else { throw Errno.last }
        let (messages, sink) = AsyncStream.makeStream(of: String.self)
        self.messages = messages
        Task(executorPreference: loop) {
            loop.watch(descriptor, for: .readable) { _ in
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count > 0 { sink.yield(String(decoding: buffer[..<count], as: UTF8.self)) }
            }
        }
    }
}
