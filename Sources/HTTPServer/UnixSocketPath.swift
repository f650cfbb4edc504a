import CMicroHTTPD  // its headers bring the socket types when the runtime is linked statically
import Glibc

/// A socket's place in the file system, and the lock that says who may use it.
final class UnixSocketPath: Sendable {
    /// `sun_path` has 108 bytes, the last of them a NUL.
    static let limit = 107

    let path: String
    private let lock: Int32
    /// Device and inode of the socket that we made.
    private struct FileID: Hashable { var device: dev_t, inode: ino_t }
    nonisolated(unsafe) private var ours: FileID?  // set once, before anyone else sees the object

    private init(_ path: String, lock: Int32) { (self.path, self.lock) = (path, lock) }

    /// Takes the lock of `path`.
    static func claim(_ path: String, creatingParent: Bool) throws(ListeningError) -> UnixSocketPath {
        guard !path.isEmpty, path.utf8.count <= limit else { throw .pathTooLong(path) }
        let parent = parent(of: path)
        if creatingParent, mkdir(parent, 0o755) != 0, errno != EEXIST {
            throw .failed(attempt: "create the directory", on: parent, errno: errno)
        }
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else {
            if errno == ENOENT { throw .noDirectory(parent) }
            throw .failed(attempt: "open", on: path + ".lock", errno: errno)
        }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(lock)
            if code == EWOULDBLOCK { throw .inUse(path) }
            throw .failed(attempt: "lock", on: path + ".lock", errno: code)
        }
        return UnixSocketPath(path, lock: lock)
    }

    func releaseLock() { close(lock) }

    /// Clears a dead socket away, and listens.
    func listen(mode: mode_t) throws(ListeningError) -> Int32 {
        try clear()
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .failed(attempt: "make a socket for", on: path, errno: errno) }
        // Nobody can connect before `listen`, so that the permissions are right when they begin to matter.
        guard withAddress({ bind(descriptor, $0, $1) }) == 0 else { throw failure("bind to", closing: descriptor) }
        ours = fileID()
        guard chmod(path, mode) == 0, Glibc.listen(descriptor, SOMAXCONN) == 0 else {
            let failure = failure("listen on", closing: descriptor)
            removeIfOurs()
            throw failure
        }
        return descriptor
    }

    /// Removes the path unless somebody else has put something there since.
    func removeIfOurs() {
        if let ours, fileID() == ours { unlink(path) }
    }

    private func clear() throws(ListeningError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .failed(attempt: "look at", on: path, errno: errno)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .foreignFile(path) }
        // A server that does not know of the lock may live here: only an answer tells.
        let probe = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { throw .failed(attempt: "make a socket for", on: path, errno: errno) }
        let code = withAddress { connect(probe, $0, $1) } == 0 ? 0 : errno
        close(probe)
        switch code {
        case ECONNREFUSED:
            guard unlink(path) == 0 || errno == ENOENT else {
                throw .failed(attempt: "remove the dead socket", on: path, errno: errno)
            }
        case ENOENT: break
        case 0, EAGAIN, EPROTOTYPE: throw .inUse(path)  // EAGAIN: its queue is full; EPROTOTYPE: of another kind
        default: throw .failed(attempt: "connect to", on: path, errno: code)
        }
    }

    private func failure(_ attempt: String, closing descriptor: Int32) -> ListeningError {
        let code = errno
        close(descriptor)
        return code == EADDRINUSE ? .inUse(path) : .failed(attempt: attempt, on: path, errno: code)
    }

    private func fileID() -> FileID? {
        var status = stat()
        return lstat(path, &status) == 0 ? FileID(device: status.st_dev, inode: status.st_ino) : nil
    }

    private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(Self.limit)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
