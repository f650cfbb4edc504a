import EventLoop
import Glibc
import HTTPServer
import Testing

@Suite struct ListeningSocketTests {
    let directory: TemporaryDirectory
    var path: String { directory.path + "/socket" }

    init() throws { directory = try TemporaryDirectory() }

    @Test func aSocketHasItsModeAndIsRemovedWhenClosed() throws {
        let socket = try ListeningSocket.unix(path: path, mode: 0o660)
        #expect(try mode(of: path) == S_IFSOCK | 0o660)
        socket.close()
        #expect(throws: Errno(code: ENOENT)) { try mode(of: path) }
    }

    @Test func aLivingServersSocketIsNotTakenOver() throws {
        let socket = try ListeningSocket.unix(path: path, mode: 0o600)
        #expect(throws: ListeningError.inUse(path)) { try ListeningSocket.unix(path: path, mode: 0o600) }
        #expect(try mode(of: path) == S_IFSOCK | 0o600)
        socket.close()
        try ListeningSocket.unix(path: path, mode: 0o600).close()
    }

    @Test func aSocketThatAnswersIsInUseEvenWithoutALock() throws {
        let socket = try ListeningSocket.unix(path: path, mode: 0o600)
        unlink(path + ".lock")
        #expect(throws: ListeningError.inUse(path)) { try ListeningSocket.unix(path: path, mode: 0o600) }
        socket.close()
    }

    @Test func aDeadServersSocketIsReplaced() throws {
        let old = try ListeningSocket.unix(path: path, mode: 0o600)
        let kept = path + "-kept"
        #expect(link(path, kept) == 0)
        old.close()
        #expect(rename(kept, path) == 0)  // a socket that nobody listens on
        try ListeningSocket.unix(path: path, mode: 0o600).close()
    }

    @Test func aForeignFileIsNeverRemoved() throws {
        close(open(path, O_CREAT | O_WRONLY, 0o644))
        #expect(throws: ListeningError.foreignFile(path)) { try ListeningSocket.unix(path: path, mode: 0o600) }
        #expect(try mode(of: path) == S_IFREG | 0o644)
    }

    @Test func aSymbolicLinkIsAForeignFile() throws {
        #expect(symlink("/nowhere", path) == 0)
        #expect(throws: ListeningError.foreignFile(path)) { try ListeningSocket.unix(path: path, mode: 0o600) }
    }

    @Test func whatOthersHavePutThereSinceIsNotRemoved() throws {
        let socket = try ListeningSocket.unix(path: path, mode: 0o600)
        // Made before the other goes, so that it cannot get the same inode.
        close(open(directory.path + "/other", O_CREAT | O_WRONLY, 0o644))
        #expect(rename(directory.path + "/other", path) == 0)
        socket.close()
        #expect(try mode(of: path) == S_IFREG | 0o644)
    }

    @Test func aMissingDirectoryIsNamedOrMade() throws {
        let parent = directory.path + "/new"
        #expect(throws: ListeningError.noDirectory(parent)) {
            try ListeningSocket.unix(path: parent + "/socket", mode: 0o600)
        }
        let socket = try ListeningSocket.unix(path: parent + "/socket", mode: 0o600, creatingParent: true)
        #expect(try mode(of: parent) == S_IFDIR | 0o755)
        socket.close()
    }

    @Test func aPathThatDoesNotFitIsRefusedWithItsLength() {
        let long = "/tmp/" + String(repeating: "a", count: 103)
        #expect(throws: ListeningError.pathTooLong(long)) { try ListeningSocket.unix(path: long, mode: 0o600) }
        #expect(ListeningError.pathTooLong(long).description.contains("108 bytes long"))
    }

    @Test func aPortInUseIsNamed() throws {
        let socket = try ListeningSocket.tcp(host: "127.0.0.1", port: 0)
        let port = try #require(socket.port)
        #expect(port > 0)
        #expect(throws: ListeningError.inUse("127.0.0.1:\(port)")) {
            try ListeningSocket.tcp(host: "127.0.0.1", port: port)
        }
        socket.close()
    }

    @Test func namesAreNotLookedUp() {
        #expect(throws: ListeningError.badAddress("example.org")) {
            try ListeningSocket.tcp(host: "example.org", port: 0)
        }
    }

    @Test func ofManyThatStartTogetherOneWins() async throws {
        let path = path
        let results = await withTaskGroup(of: Result<ListeningSocket, any Error>.self) { group in
            for _ in 0..<20 { group.addTask { Result { try ListeningSocket.unix(path: path, mode: 0o600) } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let winners = results.compactMap { try? $0.get() }  // the others threw: that is the point
        #expect(winners.count == 1)
        for winner in winners { winner.close() }
    }

    private func mode(of path: String) throws -> mode_t {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw Errno.last }
        return status.st_mode
    }
}
