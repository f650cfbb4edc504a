import Glibc

/// A failed system call's error number.
public struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
    public let code: Int32
    public init(code: Int32) { self.code = code }

    /// The calling thread's `errno`.
    public static var last: Errno { Errno(code: errno) }

    /// The system's text for it, as `strerror` gives it.
    public var description: String {
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }
}
