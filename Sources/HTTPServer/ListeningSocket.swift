import CMicroHTTPD  // its headers bring the socket types when the runtime is linked statically
import EventLoop
import Glibc

/// A socket that clients connect to, with what must be tidied up behind it.
public final class ListeningSocket: Sendable {
    /// Valid until `close()`.
    public let descriptor: Int32
    private let path: UnixSocketPath?

    private init(_ descriptor: Int32, _ path: UnixSocketPath?) { (self.descriptor, self.path) = (descriptor, path) }

    /// Takes over a descriptor that listens already, such as one inherited from systemd. Its path, if it has one, is
    /// not ours to remove.
    public static func adopt(descriptor: Int32) -> ListeningSocket { ListeningSocket(descriptor, nil) }

    /// Listens at `path`, with `mode` as the file's permissions from the first moment.
    ///
    /// A living server's socket is never taken over, a dead one's is replaced, and anything else is left alone. The
    /// lock file `PATH.lock` decides between two servers that start together: whoever holds it may look at what is
    /// there and replace it. It belongs to its holder until `close()` or the end of the process, and it stays
    /// behind, for a lock that can be removed can be held twice.
    ///
    /// - Parameter creatingParent: makes the directory that `path` is in, if it is missing: it alone, not those above.
    public static func unix(path: String, mode: UInt32, creatingParent: Bool = false) throws(ListeningError)
        -> ListeningSocket
    {
        let path = try UnixSocketPath.claim(path, creatingParent: creatingParent)
        do throws(ListeningError) {
            return ListeningSocket(try path.listen(mode: mode), path)
        } catch {
            path.releaseLock()
            throw error
        }
    }

    /// Listens on a numeric address or on `localhost`; port 0 lets the kernel choose.
    public static func tcp(host: String, port: UInt16) throws(ListeningError) -> ListeningSocket {
        ListeningSocket(try listenOnTCP(host, port), nil)
    }

    /// The port of a TCP socket.
    public var port: UInt16? { boundPort(descriptor) }

    /// Stops listening, and removes the path if it still is this socket's. Call it once.
    public func close() {
        path?.removeIfOurs()
        Glibc.close(descriptor)
        path?.releaseLock()
    }
}

/// Why no listening socket could be made.
public enum ListeningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A living process listens at this path or address.
    case inUse(String)
    /// Something that is not a socket is at this path. It is never removed.
    case foreignFile(String)
    /// The path does not fit into a socket address.
    case pathTooLong(String)
    /// The directory that the socket should be in is not there.
    case noDirectory(String)
    case badAddress(String)
    case failed(attempt: String, on: String, errno: Int32)

    public var description: String {
        switch self {
        case .inUse(let place): "another daemon listens on \(place); stop that one, or give this one another place"
        case .foreignFile(let path): "\(path) is not a socket; move it away or choose another path"
        case .pathTooLong(let path):
            "the socket path \(path) is \(path.utf8.count) bytes long; a socket's path has at most \(UnixSocketPath.limit)"
        case .noDirectory(let directory): "the directory \(directory) does not exist; create it first"
        case .badAddress(let host): "\(host) is not an IP address; use 127.0.0.1, ::1 or localhost"
        case .failed(let attempt, let place, let errno):
            "cannot \(attempt) \(place): \(Errno(code: errno))"
        }
    }
}
