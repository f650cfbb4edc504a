import CLinux
import EventLoop
import Glibc

/// The program `stripd`, run with an environment of its own; what it says on standard error can be awaited.
final class DaemonProcess: Sendable {
    private let child: clinux_child
    /// Lines of standard error, then the end.
    private let lines: AsyncStream<String>
    private let loop: EventLoop
    let directory: String
    var socket: String { directory + "/stripd.sock" }

    /// - Parameter arguments: `DIR` in them, and in the values of the environment, is the process's own directory.
    init(_ arguments: [String], environment: [String: String] = [:], on loop: EventLoop) throws {
        let place = try temporaryDirectory()
        let fill = { (text: String) in text.replacing("DIR", with: place) }
        directory = place
        self.loop = loop
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw Errno.last }
        defer { close(ends[1]) }
        let settings = environment.map { "\($0.key)=\(fill($0.value))" }
        let words = ["/usr/bin/env", "-i"] + settings + [program("stripd")] + arguments.map(fill)
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child = clinux_child()
        let failed = clinux_start_child(&child, words[0], &pointers, ends[1], ends[1])
        guard failed == 0 else { throw Errno(code: failed) }
        self.child = child
        lines = Self.read(ends[0], on: loop)
    }

    func signal(_ number: Int32) { kill(child.pid, number) }

    /// The lines up to the first that contains `text`; all of them if none does.
    func lines(upTo text: String) async -> [String] {
        var all: [String] = []
        for await line in lines {
            all.append(line)
            if line.contains(text) { break }
        }
        return all
    }

    /// Waits for the end by itself, and tells the exit status and the lines that were not read yet.
    func end() async -> (status: Int32, lines: [String]) {
        let rest = await lines.reduce(into: [String]()) { $0.append($1) }
        var info = siginfo_t()
        while waitid(P_PID, id_t(child.pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}  // its output has ended
        let status = info._sifields._sigchld.si_status
        var child = child
        clinux_end_child(&child)
        removeTree(directory)
        return (status, rest)
    }

    private static func read(_ descriptor: Int32, on loop: EventLoop) -> AsyncStream<String> {
        let (lines, sink) = AsyncStream.makeStream(of: String.self)
        Task(executorPreference: loop) {
            nonisolated(unsafe) var rest: [UInt8] = []  // on the loop's thread only
            loop.watch(descriptor, for: .readable) { _ in
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = Glibc.read(descriptor, &buffer, buffer.count)
                guard count > 0 else {
                    loop.unwatch(descriptor)
                    close(descriptor)
                    return sink.finish()
                }
                rest += buffer[..<count]
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    sink.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeFirst(end + 1)
                }
            }
        }
        return lines
    }
}

/// A program from the directory of the running tests.
private func program(_ name: String) -> String {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
    return String(bundle[..<(bundle.lastIndex(of: "/") ?? bundle.startIndex)]) + "/" + name
}
