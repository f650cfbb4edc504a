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

/// Why a directory cannot be written to; `nil` if it can.
func problem(withDirectory path: String) -> String? {
    access(path, W_OK | X_OK) == 0 ? nil : "\(path) cannot be written to: \(Errno.last)"
}

/// Tells systemd, if it started us (`sd_notify`).
func notifySystemd(_ state: String) { sd_notify(0, state) }

/// One line on standard error. Under the journal it starts with its priority, as `sd-daemon(3)` has it.
func printLog(_ level: Log.Level, _ line: String, underJournal: Bool) {
    writeAll(logLine(level, line, underJournal: underJournal), to: 2)
}

/// Without what a terminal would obey: control characters, those of two bytes (U+0080 to U+009F) too.
func logLine(_ level: Log.Level, _ line: String, underJournal: Bool) -> [UInt8] {
    var out = Array((underJournal ? "<\(level.rawValue)>" : "stripd: ").utf8)
    for byte in line.utf8 {
        if out.last == 0xC2, byte < 0xA0 {
            out[out.count - 1] = UInt8(ascii: "?")
        } else {
            out.append(byte < 0x20 || byte == 0x7F ? UInt8(ascii: "?") : byte)
        }
    }
    out.append(UInt8(ascii: "\n"))
    return out
}

func writeAll(_ text: String, to descriptor: Int32) { writeAll(Array(text.utf8), to: descriptor) }

private func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }  // there is nowhere left to say so
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
