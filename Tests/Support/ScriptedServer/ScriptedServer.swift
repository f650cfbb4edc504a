// A server on a Unix socket that answers each connection with the next line of its script and keeps what it was asked.

import Glibc

/// The script is played on a thread of its own, for a client that blocks.
public final class ScriptedServer: Sendable {
    public enum Answer: Sendable {
        /// These bytes, each piece with a write of its own, then the end.
        case pieces([[UInt8]])
        /// Nothing, for as long as the client waits.
        case silence
    }

    public let path: String
    private let listener: Int32
    private let thread: pthread_t
    private let play: Play

    public init(_ answers: [Answer]) throws {
        var template = Array("/tmp/scripted.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ScriptError(call: "mkdtemp", code: errno) }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) + "/s.sock"
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(listener, 16) == 0 else { throw ScriptError(call: "bind", code: errno) }
        let play = Play(listener: listener, answers: answers)
        var thread = pthread_t()
        let started = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Play>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(play).toOpaque())
        guard started == 0 else { throw ScriptError(call: "pthread_create", code: started) }
        (self.path, self.listener, self.thread, self.play) = (path, listener, thread, play)
    }

    public convenience init(_ answers: [String]) throws {
        try self.init(answers.map { .pieces([Array($0.utf8)]) })
    }

    /// Ends the play and tells what was asked, one text a connection.
    public func finish() -> [String] {
        shutdown(listener, Int32(SHUT_RDWR))
        pthread_join(thread, nil)
        close(listener)
        unlink(path)
        rmdir(String(path.dropLast("/s.sock".count)))
        return play.requests
    }
}

public struct ScriptError: Error {
    let call: String
    let code: Int32
}

/// Touched by its thread alone until that has been joined; hence the unchecked conformance.
private final class Play: @unchecked Sendable {
    let listener: Int32
    let answers: [ScriptedServer.Answer]
    var requests: [String] = []

    init(listener: Int32, answers: [ScriptedServer.Answer]) { (self.listener, self.answers) = (listener, answers) }

    func run() {
        defer { shutdown(listener, Int32(SHUT_RDWR)) }  // whoever comes after the script is refused
        for answer in answers {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            requests.append(String(decoding: readRequest(connection), as: UTF8.self))
            switch answer {
            case .pieces(let pieces):
                for piece in pieces { _ = send(connection, piece, piece.count, Int32(MSG_NOSIGNAL)) }
            case .silence:
                var byte: UInt8 = 0
                _ = recv(connection, &byte, 1, 0)  // ends when the client hangs up
            }
            close(connection)
        }
    }

    private func readRequest(_ connection: Int32) -> [UInt8] {
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !isComplete(request) {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            request += buffer[..<count]
        }
        return request
    }

    private func isComplete(_ request: [UInt8]) -> Bool {
        let text = String(decoding: request, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return false }
        let length = text.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
            .flatMap { Int($0.dropFirst("Content-Length: ".count)) }
        return text[end...].utf8.count >= length ?? 0
    }
}

extension String {
    /// Where what follows the first occurrence begins.
    fileprivate func range(of separator: String) -> String.Index? {
        firstRange(of: separator)?.upperBound
    }
}
