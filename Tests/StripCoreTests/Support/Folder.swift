import EventLoop
import Glibc

@testable import StripCore

/// A directory of its own, removed with its files when it is dropped.
final class Folder: Sendable {
    let path: String
    var store: StripStore { StripStore(directory: path) }

    init() throws {
        var template = Array("/tmp/stripd-test-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw Errno.last }
        self.path = String(cString: path)
    }

    deinit {
        for name in names { unlink(path + "/" + name) }
        rmdir(path)
    }

    /// The files in it, in order.
    var names: [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func write(_ text: String, to name: String) throws { try replaceFile(path + "/" + name, with: Array(text.utf8)) }

    func read(_ name: String) throws -> String {
        String(decoding: try readFile(path + "/" + name), as: UTF8.self)
    }
}
