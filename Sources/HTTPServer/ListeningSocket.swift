public import Glibc

/// A socket that clients can connect to, with what must be tidied up when it is closed.
public final class ListeningSocket: Sendable {
    public let descriptor: Int32

    /// Takes over a descriptor that listens already, such as one inherited from systemd; its path, if any, is not
    /// ours to remove.
    public init(adopting descriptor: Int32) { self.descriptor = descriptor }

    public static func adopt(descriptor: Int32) -> ListeningSocket { ListeningSocket(adopting: descriptor) }

    public static func unix(path: String, mode: mode_t, creatingParent: Bool = false) throws(ListeningError)
        -> ListeningSocket
    {
        throw .foreignFile(path)
    }

    public static func tcp(host: String, port: UInt16) throws(ListeningError) -> ListeningSocket {
        throw .foreignFile(host)
    }

    public func close() {}
}

/// Why a listening socket could not be made.
public enum ListeningError: Error, Hashable, Sendable {
    case foreignFile(String)
}
