import EventLoop
import FoundationEssentials
import Glibc
import StripCore
import Testing

@testable import StripServer

@Suite struct PosixTests {
    static let lines: [(String, Bool, String)] = [
        ("listening", false, "stripd: listening\n"), ("listening", true, "<6>listening\n"),
        ("two\nlines\t\u{1b}[2J\u{7f}", false, "stripd: two?lines??[2J?\n"), ("\u{9b}2J", false, "stripd: ?2J\n"),
        ("é \u{a0} 💡 \u{80}", false, "stripd: é \u{a0} 💡 ?\n"), ("", false, "stripd: \n"),
    ]

    @Test("a line of log is one line, and nothing that a terminal obeys", arguments: lines)
    func aLineOfLog(_ line: String, _ underJournal: Bool, _ expected: String) {
        #expect(String(decoding: logLine(.info, line, underJournal: underJournal), as: UTF8.self) == expected)
    }

    @Test func directoriesAreMadeForTheOwnerAlone() throws {
        let place = try temporaryDirectory()
        defer { removeTree(place) }
        try makeDirectory(place + "/a/b/c")
        try makeDirectory(place + "/a/b/c")
        var status = stat()
        #expect(stat(place + "/a/b", &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o700)
        #expect(throws: Errno(code: ENOTDIR)) { try makeDirectory("/dev/null/a") }
    }

    @Test func aDirectoryThatIsMissingCannotBeWrittenTo() throws {
        let place = try temporaryDirectory()
        defer { removeTree(place) }
        #expect(problem(withDirectory: place) == nil)
        #expect(
            problem(withDirectory: place + "/none") == "\(place)/none cannot be written to: No such file or directory")
    }
}
