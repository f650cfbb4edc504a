import EventLoop
import Glibc

/// Reads a whole file. What waits for another program, such as a named pipe, is not waited for.
func readFile(_ path: String) throws(Errno) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .last }
    defer { close(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
        let count = read(file, &buffer, buffer.count)
        if count == 0 { return content }
        guard count > 0 else {
            if errno == EINTR { continue }
            throw .last
        }
        content += buffer[..<count]
    }
}

/// Replaces a file as a whole: written beside it, flushed, renamed, and the directory flushed.
func replaceFile(_ path: String, with content: [UInt8]) throws(Errno) {
    let temporary = path + ".new"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw .last }
    do throws(Errno) {
        defer { close(file) }
        var written = 0
        while written < content.count {
            let count = content[written...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw .last
            }
            written += count
        }
        guard fsync(file) == 0 else { throw .last }
    } catch {
        unlink(temporary)
        throw error
    }
    guard rename(temporary, path) == 0 else {
        let error = Errno.last
        unlink(temporary)
        throw error
    }
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let directory = open(String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directory >= 0 {
        fsync(directory)
        close(directory)
    }
}

/// An exclusive lock on a directory (`flock`), which ends with the process if not before.
public final class DirectoryClaim: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws(Errno) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = Errno.last
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }
}
