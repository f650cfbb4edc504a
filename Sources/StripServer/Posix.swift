import CSystemd
import EventLoop
import Glibc
import StripCore

// The system calls of the daemon's own life.

/// Makes a directory and those above it, for the owner alone.
func makeDirectory(_ path: String) throws(Errno) {
    guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw .last }
    try makeDirectory(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last }
}

/// Tells systemd, if it started us (`sd_notify`).
func notifySystemd(_ state: String) { sd_notify(0, state) }

/// One line on standard error. Under the journal it starts with its priority, as `sd-daemon(3)` has it.
func printLog(_ level: Log.Level, _ line: String, underJournal: Bool) {
    let safe = line.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? "?" : Character($0) }
    writeAll(underJournal ? "<\(level.rawValue)>\(String(safe))\n" : "stripd: \(String(safe))\n", to: 2)
}

func writeAll(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
    }
}

/// Gives one value from one thread to another that waits for it.
final class Handover<Value: Sendable>: @unchecked Sendable {
    // The value is written before the semaphore is posted and read after it was waited for, which orders the two; a
    // POSIX semaphore may be used from any thread, and its memory lives as long as this object.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private var value: Value?

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func give(_ given: Value) {
        value = given
        sem_post(semaphore)
    }

    /// Blocks the calling thread until the value is given.
    func take() -> Value {
        while true {
            while sem_wait(semaphore) != 0 {}  // interrupted: wait on
            if let value { return value }
        }
    }
}
