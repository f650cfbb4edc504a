import CMicroHTTPD
import Glibc

/// Who sent a request, as the kernel says.
public enum Peer: Hashable, Sendable {
    /// The process that connected. Inside a user namespace that does not map its ids these are the overflow ids.
    case unix(pid: Int32, uid: UInt32, gid: UInt32)
    /// The remote address without its port, such as `127.0.0.1` or `::1`.
    case tcp(address: String)
}

extension Peer {
    /// Asks the kernel who is at the other end of a connected socket.
    init(of descriptor: Int32) {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let family = withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { sockaddr in
                getpeername(descriptor, sockaddr, &size) == 0 ? Int32(sockaddr.pointee.sa_family) : AF_UNSPEC
            }
        }
        switch family {
        case AF_INET, AF_INET6: self = .tcp(address: Self.text(of: &address, size))
        default:
            // Kernel defaults for "nobody", should the call fail.
            var who = cmhd_credentials(pid: 0, uid: 65534, gid: 65534)
            _ = cmhd_peer_credentials(descriptor, &who)
            self = .unix(pid: who.pid, uid: who.uid, gid: who.gid)
        }
    }

    private static func text(of address: inout sockaddr_storage, _ size: socklen_t) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { host in
            let failed = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getnameinfo($0, size, host.baseAddress, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
                }
            }
            guard failed == 0, let text = host.baseAddress else { return "?" }
            return String(cString: text)
        }
    }
}
