import CMicroHTTPD  // its headers bring the socket types when the runtime is linked statically
import Glibc

/// Binds to a numeric address, or to `localhost` as 127.0.0.1, without asking a name server.
func listenOnTCP(_ host: String, _ port: UInt16) throws(ListeningError) -> Int32 {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    guard getaddrinfo(bare == "localhost" ? "127.0.0.1" : bare, String(port), &hints, &found) == 0, let found else {
        throw .badAddress(host)
    }
    defer { freeaddrinfo(found) }
    let place = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]:\(port)" : "\(host):\(port)"
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(found.pointee.ai_family, type, 0)
    guard descriptor >= 0 else { throw .failed(attempt: "make a socket for", on: place, errno: errno) }
    var on: Int32 = 1
    // Linux lets nobody share a port that is listened on; this only forgets connections that have ended.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    if found.pointee.ai_family == AF_INET6 {
        setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, socklen_t(MemoryLayout<Int32>.size))
    }
    guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0, listen(descriptor, SOMAXCONN) == 0
    else {
        let code = errno
        close(descriptor)
        throw code == EADDRINUSE ? .inUse(place) : .failed(attempt: "listen on", on: place, errno: code)
    }
    return descriptor
}

func boundPort(_ descriptor: Int32) -> UInt16? {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &address) { storage in
        let failed = storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        guard failed == 0 else { return nil }
        switch Int32(storage.pointee.ss_family) {
        case AF_INET:
            return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin_port)
            }
        case AF_INET6:
            return storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin6_port)
            }
        default: return nil
        }
    }
}
