// The POSIX calls of this target: the surroundings of a real process.

import Glibc
import StripAPI

extension Surroundings {
    /// Those of the process that this is. From now on SIGPIPE is ignored.
    public static func ofThisProcess() -> Surroundings {
        signal(SIGPIPE, SIG_IGN)  // a reader that has gone is noticed by the write
        return Surroundings(
            environment: { name in getenv(name).map { String(cString: $0) } },
            userID: getuid(), outputIsTerminal: isatty(1) == 1, errorsAreTerminal: isatty(2) == 1,
            now: {
                var now = timespec()
                clock_gettime(CLOCK_REALTIME, &now)
                return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
            },
            write: { try writeAll($0, to: 1) },
            complain: { try? writeAll($0, to: 2) },  // there is nowhere left to say so
            isSocket: { path in
                var status = stat()
                return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
            },
            group: groupName,
            pause: { _ = poll(nil, 0, $0) })
    }
}

/// Output could not be written for another reason than that nobody reads it.
struct OutputFailed: Error {
    let reason: String
}

private func writeAll(_ text: String, to descriptor: Int32) throws {
    var text = text
    try text.withUTF8 { bytes in
        var rest = UnsafeRawBufferPointer(bytes)
        while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, rest.count)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            } else if errno == EPIPE {
                throw OutputClosed()
            } else if errno != EINTR {
                throw OutputFailed(reason: SystemError(code: errno).description)
            }
        }
    }
}

/// Read from the group file itself: a static program has no other way.
private func groupName(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    guard let file = fopen("/etc/group", "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), file) != nil {
        let fields = line.prefix { $0 != 0 }.split(
            separator: CChar(bitPattern: UInt8(ascii: ":")), omittingEmptySubsequences: false
        )
        .map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
        if fields.count >= 3, fields[2] == String(status.st_gid) { return fields[0] }
    }
    return nil
}
