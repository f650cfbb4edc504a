import CLinux
import EventLoop
import Glibc

/// A program of ours that runs while a test watches it: its output line by line, its end awaited, never polled.
///
/// It is started by the loop's thread through `setpriv --pdeathsig`, so that it ends even if the test process is killed.
actor RunningProgram {
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    nonisolated let name: String
    nonisolated let pid: pid_t
    private var open: Int
    private var output: [UInt8] = []
    private var errors: [UInt8] = []
    private var result: ProgramResult?
    private var endWaiters: [CheckedContinuation<ProgramResult, Never>] = []
    private var textWaiters: [(isThere: (ProgramResult) -> Bool, waiter: CheckedContinuation<Bool, Never>)] = []

    private init(_ name: String, _ spawned: Spawned, on loop: EventLoop) {
        self.name = name
        self.loop = loop
        pid = spawned.pid
        open = spawned.errors == nil ? 1 : 2
    }

    /// Starts the program `name` from the directory of the running tests.
    ///
    /// - Parameters:
    ///   - environment: nothing else is in it.
    ///   - input: a file to be its standard input; else that is `/dev/null`.
    ///   - setpriv: more options for it, as for another user.
    ///   - onTerminal: output and errors both go to a terminal, and are read together as `output`.
    static func start(
        _ name: String, _ arguments: [String], environment: [String: String], input: String? = nil,
        onTerminal: Bool = false, through setpriv: [String] = [], on loop: EventLoop
    ) async throws -> RunningProgram {
        try await Task(executorPreference: loop) {
            let words = ["/usr/bin/setpriv", "--pdeathsig", "KILL"] + setpriv + [binary(name)] + arguments
            let outlets = try onTerminal ? Outlets.terminal() : Outlets.pipes()
            let spawned = try spawn(words, environment, input: input ?? "/dev/null", outlets)
            let program = RunningProgram(name, spawned, on: loop)
            await program.watch(spawned)
            return program
        }.value
    }

    func signal(_ number: Int32) { if result == nil { kill(pid, number) } }

    var isOver: Bool { result != nil }

    /// Waits for the end.
    func end() async -> ProgramResult {
        await withCheckedContinuation { waiter in
            // Asked in here: between a look outside and the wait another job of this actor may run.
            if let result { waiter.resume(returning: result) } else { endWaiters.append(waiter) }
        }
    }

    /// Waits until the output (or what went to standard error) contains `text`; false if the program ended without it.
    @discardableResult
    func says(_ text: String, inErrors: Bool = false) async -> Bool {
        await until { (inErrors ? $0.errors : $0.output).contains(text) }
    }

    /// Waits for a whole line of output like this; `nil` if the program ended without it.
    @discardableResult
    func line(where isWanted: @escaping @Sendable (String) -> Bool) async -> String? {
        var seen = 0
        var found: String?
        _ = await until { soFar in
            let lines = soFar.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            while found == nil, seen < lines.count {
                if isWanted(String(lines[seen])) { found = String(lines[seen]) }
                seen += 1
            }
            return found != nil
        }
        return found
    }

    private func until(_ isThere: @escaping (ProgramResult) -> Bool) async -> Bool {
        await withCheckedContinuation { waiter in  // see `end`
            if isThere(soFar) {
                waiter.resume(returning: true)
            } else if result != nil {
                waiter.resume(returning: false)
            } else {
                textWaiters.append((isThere, waiter))
            }
        }
    }

    var soFar: ProgramResult {
        ProgramResult(
            status: -1, output: String(decoding: output, as: UTF8.self), errors: String(decoding: errors, as: UTF8.self)
        )
    }

    private func watch(_ spawned: Spawned) {
        for (descriptor, isErrors) in [(spawned.output, false), (spawned.errors, true)] {
            guard let descriptor else { continue }
            loop.watch(descriptor, for: .readable) { _ in self.assumeIsolated { $0.read(descriptor, isErrors) } }
        }
    }

    private func read(_ descriptor: Int32, _ isErrors: Bool) {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return finish(descriptor) }  // a terminal that is left says EIO
        if isErrors { errors += buffer[..<count] } else { output += buffer[..<count] }
        answerTextWaiters(ended: false)
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
        answerTextWaiters(ended: true)
        let waiters = endWaiters
        endWaiters = []
        for waiter in waiters { waiter.resume(returning: ended) }
    }

    private func answerTextWaiters(ended: Bool) {
        let waiters = textWaiters
        textWaiters = []
        let soFar = soFar
        for waiter in waiters {
            if waiter.isThere(soFar) {
                waiter.waiter.resume(returning: true)
            } else if ended {
                waiter.waiter.resume(returning: false)
            } else {
                textWaiters.append(waiter)
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

    /// It did its work, and had no reason to say so.
    static let done = ProgramResult(status: 0, output: "", errors: "")

    var json: JSON { JSON(parsing: output) }
}

/// A program from the directory of the running tests.
private func binary(_ name: String) -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer[..<max(length, 0)], as: UTF8.self)
    // swiftpm-testing-helper runs the bundle: the bundle's own path is among the arguments then.
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? path
    return String(bundle[..<(bundle.lastIndex(of: "/") ?? bundle.startIndex)]) + "/" + name
}

/// Where a program's output goes: the ends that it writes to, and those that we read from.
private struct Outlets {
    var output: (theirs: Int32, ours: Int32)
    /// `nil`: the same as the output.
    var errors: (theirs: Int32, ours: Int32)?

    static func pipes() throws -> Outlets {
        var output: [Int32] = [0, 0]
        var errors: [Int32] = [0, 0]
        guard clinux_pipe(&output) == 0, clinux_pipe(&errors) == 0 else { throw Errno.last }
        return Outlets(output: (output[1], output[0]), errors: (errors[1], errors[0]))
    }

    static func terminal() throws -> Outlets {
        // posix_openpt and its kin, which Swift's Glibc module leaves out.
        let ours = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var unlock: Int32 = 0
        var number: Int32 = 0
        guard ours >= 0, ioctl(ours, setTerminalLock, &unlock) == 0, ioctl(ours, getTerminalNumber, &number) == 0 else {
            throw Errno.last
        }
        let theirs = Glibc.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard theirs >= 0 else { throw Errno.last }
        var mode = termios()
        tcgetattr(theirs, &mode)
        mode.c_oflag &= ~tcflag_t(OPOST)  // a line ends as it was written
        tcsetattr(theirs, TCSANOW, &mode)
        return Outlets(output: (theirs, ours), errors: nil)
    }
}

/// `TIOCSPTLCK` and `TIOCGPTN` (ioctl_tty(2)).
private let setTerminalLock: UInt = 0x4004_5431
private let getTerminalNumber: UInt = 0x8004_5430

private struct Spawned {
    var pid: pid_t
    var output: Int32?
    var errors: Int32?
}

private func spawn(
    _ words: [String], _ environment: [String: String], input: String, _ outlets: Outlets
) throws -> Spawned {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, outlets.output.theirs, 1)
    posix_spawn_file_actions_adddup2(&actions, (outlets.errors ?? outlets.output).theirs, 2)
    // Whatever the tests themselves were started with: our programs meet signals as from a shell.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pid = pid_t()
    let failed = posix_spawn(&pid, words[0], &actions, &attributes, &arguments, &variables)
    close(outlets.output.theirs)
    if let errors = outlets.errors { close(errors.theirs) }
    guard failed == 0 else { throw Errno(code: failed) }
    return Spawned(pid: pid, output: outlets.output.ours, errors: outlets.errors?.ours)
}
