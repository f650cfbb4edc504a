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

    public let directory: String
    var path: String { directory + "/strips.json" }

    public init(directory: String) { self.directory = directory }

    /// Reads the file; no file is an empty one.
    ///
    /// - Throws: `StoreError` if it cannot be read or is not ours. A file that cannot be understood is set aside under
    ///   another name first, so that nothing in it is lost.
    func load() throws(StoreError) -> Content {
        let data: [UInt8]
        do throws(Errno) {
            data = try readFile(path)
        } catch {
            if error.code == ENOENT { return Content() }
            throw StoreError(path: path, problem: "cannot be read: \(error)")
        }
        do {
            let content = try JSONDecoder().decode(Content.self, from: Data(data))
            guard content.version == Self.version else {
                throw StoreError(
                    path: path, problem: "has version \(content.version), and this stripd knows \(Self.version)")
            }
            return content
        } catch {
            let aside = path + ".unreadable"
            let kept = rename(path, aside) == 0 ? "it is kept as \(aside)" : "it could not be set aside: \(Errno.last)"
            let problem = (error as? StoreError)?.problem ?? "is not a strip list: \(error)"
            throw StoreError(path: path, problem: "\(problem); \(kept)")
        }
    }

    /// Replaces the file: a temporary one beside it is written, flushed and renamed.
    func save(_ content: Content) throws(StoreError) {
        let data: Data
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            data = try encoder.encode(content)
        } catch {
            throw StoreError(path: path, problem: "cannot be put into JSON: \(error)")
        }
        do throws(Errno) {
            try replaceFile(path, with: Array(data) + [UInt8(ascii: "\n")])
        } catch {
            throw StoreError(path: path, problem: "cannot be written: \(error)")
        }
    }
}

/// Why the state file could not be read or written.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    public var path: String
    public var problem: String
    public var description: String { "\(path) \(problem)" }
}
