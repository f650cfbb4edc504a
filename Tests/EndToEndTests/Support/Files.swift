import EventLoop
import Glibc

// The files of a house.

func makeTemporaryDirectory() throws -> String {
    var template = Array("/tmp/stripd-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno.last }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func removeTree(_ path: String) {
    for name in entries(of: path) {
        let inner = path + "/" + name
        var status = stat()
        if lstat(inner, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { removeTree(inner) } else { unlink(inner) }
    }
    rmdir(path)
}

/// The names in a directory, sorted.
func entries(of directory: String) -> [String] {
    guard let listing = opendir(directory) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
        let name = withUnsafePointer(to: entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}

func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw Errno.last }
    defer { fclose(file) }
    guard fputs(text, file) >= 0 else { throw Errno.last }
}

/// `nil` if there is no such file.
func text(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
}

/// Leaves a socket behind that nobody listens on, as a killed daemon does.
func leaveDeadSocket(at path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    guard withSocketAddress(path, { bind(descriptor, $0, $1) }) == 0 else { throw Errno.last }
}

func withSocketAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
}

func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
}
