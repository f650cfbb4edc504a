import EventLoop
import FoundationEssentials
import Glibc
import StripModel

/// The file that keeps the known strips over a restart. It is replaced as a whole: a reader, and a crash, find either
/// the old or the new one.
public struct StripStore: Sendable {
    /// The file's content.
    struct Content: Codable, Hashable, Sendable {
        var version = StripStore.version
        var strips: [StripRecord] = []
        var defaultStrip: BluetoothAddress?

        enum CodingKeys: String, CodingKey {
            case version, strips
            case defaultStrip = "default"
        }
    }

    static let version = 1

    private let directory: String
    var path: String { directory + "/strips.json" }

    public init(directory: String) { self.directory = directory }

    /// Keeps others from using this directory, until the result is dropped.
    ///
    /// - Returns: `nil` if there is no such directory to claim.
    /// - Throws: `StoreError` if another daemon has it.
    public func claim() throws(StoreError) -> DirectoryClaim? {
        do throws(Errno) {
            return try DirectoryClaim(directory)
        } catch {
            guard error.code == EWOULDBLOCK else { return nil }
            throw StoreError(
                path: directory,
                problem: "is in use by another stripd; give this one a place of its own with --state DIR")
        }
    }

    /// Reads the file; no file is an empty one.
    ///
    /// - Throws: `StoreError` if it cannot be read or is not ours. A file that cannot be understood is set aside under
    ///   another name first, so that nothing in it is lost.
    func load() throws(StoreError) -> Content {
        switch try look() {
        case .nothing: return Content()
        case .ours(let content): return content
        case .foreign(let problem):
            let aside = try setAside(problem)
            throw StoreError(path: path, problem: "\(problem); it is kept as \(aside)")
        }
    }

    /// Replaces the file: a temporary one beside it is written, flushed and renamed. A file that `load` would not take
    /// is set aside, never overwritten.
    func save(_ content: Content) throws(StoreError) {
        let data: Data
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            data = try encoder.encode(content)
        } catch {
            throw StoreError(path: path, problem: "cannot be put into JSON: \(error)")
        }
        if case .foreign(let problem) = try look() { _ = try setAside(problem) }
        do throws(Errno) {
            try replaceFile(path, with: Array(data) + [UInt8(ascii: "\n")])
        } catch {
            throw StoreError(path: path, problem: "cannot be written: \(error)")
        }
    }

    /// What lies at `path`.
    private enum Found {
        case nothing
        case ours(Content)
        /// With what is wrong with it.
        case foreign(String)
    }

    private struct Version: Codable { var version: Int }

    private func look() throws(StoreError) -> Found {
        let data: [UInt8]
        do throws(Errno) {
            data = try readFile(path)
        } catch {
            if error.code == ENOENT { return .nothing }
            throw StoreError(path: path, problem: "cannot be read: \(error)")
        }
        do {
            // The version first: a later one may have any content.
            let version = try JSONDecoder().decode(Version.self, from: Data(data)).version
            guard version == Self.version else {
                return .foreign("has version \(version), and this stripd knows \(Self.version)")
            }
            return .ours(try JSONDecoder().decode(Content.self, from: Data(data)))
        } catch {
            return .foreign("is not a strip list: \(error)")
        }
    }

    /// Gives the file another name, one that no file has.
    private func setAside(_ problem: String) throws(StoreError) -> String {
        for number in 1...100 {
            let aside = path + (number == 1 ? ".unreadable" : ".unreadable-\(number)")
            guard access(aside, F_OK) != 0 else { continue }
            if rename(path, aside) == 0 { return aside }
            throw StoreError(path: path, problem: "\(problem); it could not be set aside: \(Errno.last)")
        }
        throw StoreError(path: path, problem: "\(problem); a hundred such files are kept already")
    }
}

/// Why the state file could not be read or written.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    public var path: String
    public var problem: String
    public var description: String { "\(path) \(problem)" }
}
