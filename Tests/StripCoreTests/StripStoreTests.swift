import EventLoop
import Glibc
import StripModel
import Testing

@testable import StripCore

/// The state file: what is kept, and that nothing of it is ever lost or torn.
@Suite struct StripStoreTests {
    private let folder = try? Folder()

    private func content(_ percent: Int = 50) throws -> StripStore.Content {
        let address = try #require(BluetoothAddress("ff:ff:38:5b:40:65"))
        let other = try #require(BluetoothAddress("ff:ff:38:5b:40:66"))
        let look = Look(
            color: .orange, brightness: Percent(clamping: percent), white: .half, shine: .effect(Effect.all[0]))
        return StripStore.Content(
            strips: [
                StripRecord(
                    address: address, alias: try Alias(parsing: "desk"), name: "Triones-FFFF385B4065", look: look,
                    hasWhiteChannel: true, model: 0x15),
                StripRecord(address: other, alias: nil, name: nil, look: nil, hasWhiteChannel: false, model: nil),
            ], defaultStrip: address)
    }

    @Test func noFileIsAnEmptyOne() throws {
        let folder = try #require(folder)
        #expect(try folder.store.load() == StripStore.Content())
        #expect(folder.names == [])
    }

    @Test("users.md 80: what was saved comes back, base colour and brightness apart")
    func roundTrip() throws {
        let folder = try #require(folder)
        let content = try content(1)
        try folder.store.save(content)
        #expect(try folder.store.load() == content)
        #expect(folder.names == ["strips.json"])
        try folder.store.save(StripStore.Content())
        #expect(try folder.store.load() == StripStore.Content())
    }

    @Test(
        "users.md 150: a file that is not ours is set aside, said, and kept",
        arguments: [
            #"{"version": 1, "strips": [{"addr"#, "", "\0\0\0\0", "[]", #"{"strips": []}"#,
            #"{"version": 2, "lights": {}}"#, #"{"version": 1, "strips": [{"address": "not one"}]}"#,
        ])
    func setAside(text: String) throws {
        let folder = try #require(folder)
        try folder.write(text, to: "strips.json")
        #expect(throws: StoreError.self) { try folder.store.load() }
        #expect(folder.names == ["strips.json.unreadable"])
        #expect(try folder.read("strips.json.unreadable") == text)
        #expect(try folder.store.load() == StripStore.Content())
    }

    @Test func theErrorNamesTheFileAndWhereItIsKept() throws {
        let folder = try #require(folder)
        try folder.write(#"{"version": 2}"#, to: "strips.json")
        let path = folder.path + "/strips.json"
        let expected = StoreError(
            path: path,
            problem: "has version 2, and this stripd knows 1; it is kept as \(path).unreadable")
        #expect(throws: expected) { try folder.store.load() }
    }

    @Test func aSecondFileThatIsNotOursDoesNotTakeThePlaceOfTheFirst() throws {
        let folder = try #require(folder)
        for text in ["one", "two", "three"] {
            try folder.write(text, to: "strips.json")
            #expect(throws: StoreError.self) { try folder.store.load() }
        }
        #expect(
            folder.names == ["strips.json.unreadable", "strips.json.unreadable-2", "strips.json.unreadable-3"])
        #expect(try folder.read("strips.json.unreadable") == "one")
        #expect(try folder.read("strips.json.unreadable-3") == "three")
    }

    @Test func savingSetsAsideTooWhatItWouldOverwrite() throws {
        let folder = try #require(folder)
        try folder.write(#"{"version": 2}"#, to: "strips.json")
        let content = try content()
        try folder.store.save(content)
        #expect(try folder.store.load() == content)
        #expect(try folder.read("strips.json.unreadable") == #"{"version": 2}"#)
    }

    @Test("A named pipe in the file's place is not waited for", arguments: ["strips.json", "strips.json.new"])
    func pipe(name: String) throws {
        let folder = try #require(folder)
        let store = StripStore(directory: folder.path)
        let content = try content()
        #expect(mkfifo(folder.path + "/" + name, 0o600) == 0)
        if name == "strips.json" {
            #expect(throws: StoreError.self) { try store.load() }
        } else {
            #expect(throws: StoreError.self) { try store.save(content) }
        }
    }

    // MARK: What cannot be written

    @Test func aDirectoryThatIsNoneIsReported() throws {
        let folder = try #require(folder)
        try folder.write("a file", to: "state")
        let store = StripStore(directory: folder.path + "/state")
        let content = try content()
        #expect(throws: StoreError.self) { try store.save(content) }
        #expect(throws: StoreError.self) { try store.load() }
        #expect(try folder.read("state") == "a file")
    }

    @Test func aMissingDirectoryIsReported() throws {
        let folder = try #require(folder)
        let store = StripStore(directory: folder.path + "/none")
        let content = try content()
        #expect(throws: StoreError.self) { try store.save(content) }
        #expect(try store.load() == StripStore.Content())
    }

    @Test("users.md 150: a full disk is reported, and the old file stays")
    func fullDisk() throws {
        let folder = try #require(folder)
        let old = try content(10)
        try folder.store.save(old)
        // Where the new file would be written every write answers ENOSPC.
        #expect(symlink("/dev/full", folder.path + "/strips.json.new") == 0)
        let new = try content(20)
        let full = StoreError(path: folder.path + "/strips.json", problem: "cannot be written: \(Errno(code: ENOSPC))")
        #expect(throws: full) { try folder.store.save(new) }
        #expect(try folder.store.load() == old)
        #expect(folder.names == ["strips.json"])
        try folder.store.save(new)
        #expect(try folder.store.load() == new)
    }

    @Test func aFileThatCannotBeReplacedIsReportedAndNothingIsLeftBehind() throws {
        let folder = try #require(folder)
        #expect(mkdir(folder.path + "/strips.json", 0o755) == 0)
        let content = try content()
        #expect(throws: StoreError.self) { try folder.store.save(content) }
        #expect(throws: StoreError.self) { try folder.store.load() }
        #expect(folder.names == ["strips.json"])
        rmdir(folder.path + "/strips.json")
    }

    @Test("users.md 150: a reader never sees a torn file")
    func neverTorn() async throws {
        let folder = try #require(folder)
        let (short, long) = (StripStore.Content(), try content())
        try folder.store.save(short)
        let store = folder.store
        await withTaskGroup { group in
            group.addTask {
                for number in 0..<200 {
                    do throws(StoreError) {
                        try store.save(number.isMultiple(of: 2) ? long : short)
                    } catch {
                        Issue.record(error)
                    }
                }
            }
            group.addTask {
                for _ in 0..<400 {
                    do throws(StoreError) {
                        let found = try store.load()
                        #expect(found == short || found == long)
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
        #expect(folder.names == ["strips.json"])
    }
}
