import CLinux
import EventLoop
import Glibc

/// A program of ours that runs while a test watches it: its output line by line, its end awaited, never polled.
///
/// It is started by the loop's thread through `setpriv --pdeathsig`, so that it ends even if the test process is killed.
actor RunningProgram {
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    nonisolated let pid: pid_t
    private var open = 2
    private var output: [UInt8] = []
    private var errors: [UInt8] = []
    private var result: ProgramResult?
    private var endWaiters: [CheckedContinuation<ProgramResult, Never>] = []
    private var lineWaiters: [(text: String, inErrors: Bool, waiter: CheckedContinuation<Bool, Never>)] = []

    private init(pid: pid_t, on loop: EventLoop) {
        self.pid = pid
        self.loop = loop
    }

    /// Starts `path`; its standard input is `/dev/null`.
    static func start(
        _ path: String, _ arguments: [String], environment: [String: String], on loop: EventLoop
    ) async throws -> RunningProgram {
        try await Task(executorPreference: loop) {
            let (pid, output, errors) = try spawn(
                ["/usr/bin/setpriv", "--pdeathsig", "KILL", path] + arguments, environment)
            let program = RunningProgram(pid: pid, on: loop)
            await program.watch(output, errors)
            return program
        }.value
    }

    func signal(_ number: Int32) { if result == nil { kill(pid, number) } }

    /// Waits for the end.
    func end() async -> ProgramResult {
        if let result { return result }
        return await withCheckedContinuation { endWaiters.append($0) }
    }

    /// Waits until the output (or what went to standard error) contains `text`; false if the program ended without it.
    func says(_ text: String, inErrors: Bool = false) async -> Bool {
        if contains(text, inErrors) { return true }
        if result != nil { return false }
        return await withCheckedContinuation { lineWaiters.append((text, inErrors, $0)) }
    }

    var soFar: ProgramResult {
        ProgramResult(
            status: -1, output: String(decoding: output, as: UTF8.self), errors: String(decoding: errors, as: UTF8.self)
        )
    }

    private func contains(_ text: String, _ inErrors: Bool) -> Bool {
        String(decoding: inErrors ? errors : output, as: UTF8.self).contains(text)
    }

    private func watch(_ output: Int32, _ errors: Int32) {
        for (descriptor, isErrors) in [(output, false), (errors, true)] {
            loop.watch(descriptor, for: .readable) { _ in self.assumeIsolated { $0.read(descriptor, isErrors) } }
        }
    }

    private func read(_ descriptor: Int32, _ isErrors: Bool) {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return finish(descriptor) }
        if isErrors { errors += buffer[..<count] } else { output += buffer[..<count] }
        answerLineWaiters(ended: false)
    }

    private func finish(_ descriptor: Int32) {
        loop.unwatch(descriptor)
        close(descriptor)
        open -= 1
        guard open == 0 else { return }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}  // it closed its output: it is ending
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        var ended = soFar
        ended.status = code
        result = ended
        answerLineWaiters(ended: true)
        let waiters = endWaiters
        endWaiters = []
        for waiter in waiters { waiter.resume(returning: ended) }
    }

    private func answerLineWaiters(ended: Bool) {
        let waiters = lineWaiters
        lineWaiters = []
        for waiter in waiters {
            if contains(waiter.text, waiter.inErrors) {
                waiter.waiter.resume(returning: true)
            } else if ended {
                waiter.waiter.resume(returning: false)
            } else {
                lineWaiters.append(waiter)
            }
        }
    }
}

/// How a program ended, and what it said.
struct ProgramResult: Hashable, Sendable {
    /// The exit status, or 128 and the signal that ended it.
    var status: Int32
    var output: String
    var errors: String
}

private func spawn(
    _ words: [String], _ environment: [String: String]
) throws -> (pid: pid_t, output: Int32, errors: Int32) {
    var outputEnds: [Int32] = [0, 0]
    var errorEnds: [Int32] = [0, 0]
    guard clinux_pipe(&outputEnds) == 0, clinux_pipe(&errorEnds) == 0 else { throw Errno.last }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, outputEnds[1], 1)
    posix_spawn_file_actions_adddup2(&actions, errorEnds[1], 2)
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pid = pid_t()
    let failed = posix_spawn(&pid, words[0], &actions, nil, &arguments, &variables)
    close(outputEnds[1])
    close(errorEnds[1])
    guard failed == 0 else { throw Errno(code: failed) }
    return (pid, outputEnds[0], errorEnds[0])
}
