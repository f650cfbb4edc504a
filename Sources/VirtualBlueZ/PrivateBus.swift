import CLinux
import EventLoop
import Glibc
import Synchronization

/// A message bus of our own for tests and simulation: a `dbus-daemon` child process that nobody else finds, with
/// everything allowed. It ends with `stop()`, when the last reference is dropped, or with this process, even if that
/// one is killed.
///
/// `init` and `stop` block for the milliseconds that a process takes to start or end.
public final class PrivateBus: Sendable {
    /// What to connect to, as in `unix:path=/tmp/stripd-bus.x3Kf0a/socket,guid=…`.
    public let address: String

    private let directory: String
    private let child: clinux_child
    private let stopped = Atomic(false)

    /// - Parameters:
    ///   - denied: names of services that nobody may call, as on a system whose policy forbids it.
    ///   - limits: `<limit>` elements of the bus's configuration that differ from a roomy default, as in
    ///     `["max_replies_per_connection": 128]`.
    public init(denying denied: [String] = [], limits: [String: Int] = [:]) throws(PrivateBusError) {
        guard let program = Self.find("dbus-daemon") else { throw PrivateBusError(problem: .notInstalled) }
        directory = try Self.makeDirectory()
        do throws(PrivateBusError) {
            let configuration = directory + "/bus.conf"
            let text = Self.configuration(socket: directory + "/socket", denying: denied, limits: limits)
            try Self.write(text, to: configuration)
            // It would tell systemd that it is ready, in the name of the service that started it.
            let words = ["-u", "NOTIFY_SOCKET", program]
            let arguments = ["--config-file=" + configuration, "--nofork", "--print-address=1"]
            (child, address) = try Self.start("/usr/bin/env", words + arguments, log: directory + "/log")
        } catch {
            Self.remove(directory)
            throw error
        }
    }

    deinit { stop() }

    /// Kills the bus and waits until it is gone. Its clients see a lost connection. More than once is harmless.
    public func stop() {
        guard !stopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var child = child
        clinux_end_child(&child)
        Self.remove(directory)
    }

    /// Stops the bus in its tracks: it stays connected and answers nothing, until `resume()`.
    public func pause() { signal(SIGSTOP) }

    public func resume() { signal(SIGCONT) }

    private func signal(_ number: Int32) {
        if !stopped.load(ordering: .acquiring) { kill(child.pid, number) }
    }

    static func configuration(socket: String, denying denied: [String], limits: [String: Int]) -> String {
        var roomy = [
            "max_incoming_bytes": 1_000_000_000, "max_outgoing_bytes": 1_000_000_000,
            "max_message_size": 134_217_728, "max_completed_connections": 10_000,
            "max_connections_per_user": 10_000, "max_names_per_connection": 10_000,
            "max_match_rules_per_connection": 50_000, "max_replies_per_connection": 50_000,
        ]
        roomy.merge(limits) { _, wanted in wanted }
        let limits = roomy.sorted { $0.key < $1.key }.map { "  <limit name=\"\($0)\">\($1)</limit>\n" }.joined()
        let denials = denied.map { "    <deny send_destination=\"\($0)\"/>\n" }.joined()
        return """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>custom</type>
              <listen>unix:path=\(socket)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow user="*"/>
                <allow own="*"/>
                <allow send_destination="*" eavesdrop="true"/>
                <allow receive_sender="*" eavesdrop="true"/>
            \(denials)  </policy>
            \(limits)</busconfig>

            """
    }
}

/// Why a private bus could not be started.
public struct PrivateBusError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Problem: Hashable {
        case notInstalled
        case failed(String, Int32)
        case ended(String)
    }
    let problem: Problem

    public var description: String {
        switch problem {
        case .notInstalled: "dbus-daemon is not installed: install the package dbus or dbus-daemon"
        case .failed(let what, let code):
            "a private bus could not be started: \(what): \(Errno(code: code))"
        case .ended(let log): "a private bus could not be started: dbus-daemon says: \(log)"
        }
    }
}

// MARK: POSIX

extension PrivateBus {
    private static func find(_ program: String) -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return (path.split(separator: ":").map(String.init) + ["/usr/bin", "/bin"])
            .map { $0 + "/" + program }
            .first { access($0, X_OK) == 0 }
    }

    /// Readable by us alone; in `/tmp` and not `TMPDIR`, because a socket's path must be short.
    private static func makeDirectory() throws(PrivateBusError) -> String {
        var template = Array("/tmp/stripd-bus.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw PrivateBusError(problem: .failed("mkdtemp", errno)) }
        return template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    private static func remove(_ directory: String) {
        for file in ["socket", "bus.conf", "log"] { unlink(directory + "/" + file) }
        rmdir(directory)
    }

    private static func write(_ text: String, to path: String) throws(PrivateBusError) {
        let file = try create(path)
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw PrivateBusError(problem: .failed(path, errno))
        }
    }

    private static func create(_ path: String) throws(PrivateBusError) -> Int32 {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PrivateBusError(problem: .failed(path, errno)) }
        return file
    }

    /// Starts the daemon and waits for the line that says where it listens. What it complains of goes to `log`.
    private static func start(
        _ program: String, _ arguments: [String], log: String
    ) throws(PrivateBusError) -> (clinux_child, address: String) {
        let log = try create(log)
        defer { close(log) }
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw PrivateBusError(problem: .failed("pipe", errno)) }
        defer { close(ends[0]) }
        var child = clinux_child()
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        let failed = clinux_start_child(&child, program, &words, ends[1], log)
        for word in words { free(word) }
        close(ends[1])
        guard failed == 0 else { throw PrivateBusError(problem: .failed(program, failed)) }
        let address = line(from: ends[0])
        guard !address.isEmpty else {
            clinux_end_child(&child)
            lseek(log, 0, SEEK_SET)
            throw PrivateBusError(problem: .ended(line(from: log)))
        }
        return (child, address)
    }

    private static func line(from descriptor: Int32) -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}
