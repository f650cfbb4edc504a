import EventLoop
import Glibc
import Testing
import VirtualBlueZ

// What one does in a house: typing lines for stripctl, and looking at what comes of them.

extension House {
    /// Types a line for stripctl and waits for its end. Words between single quotes stay together.
    @discardableResult
    func type(_ line: String, environment: [String: String] = [:], input: String? = nil) async throws -> ProgramResult {
        try await stripctl(words(of: line), environment: environment, input: input)
    }

    @discardableResult
    func stripctl(
        _ words: [String], environment: [String: String] = [:], input: String? = nil
    ) async throws -> ProgramResult {
        try await begin(words, environment: environment, input: input).end()
    }

    /// Types a line and leaves stripctl running.
    func begin(_ line: String, onTerminal: Bool = false, environment: [String: String] = [:]) async throws
        -> RunningProgram
    {
        try await begin(words(of: line), environment: environment, onTerminal: onTerminal)
    }

    func begin(
        _ words: [String], environment: [String: String] = [:], input: String? = nil, onTerminal: Bool = false
    ) async throws -> RunningProgram {
        try await start(
            "stripctl", ["--socket", socket] + words, environment: environment, input: input, onTerminal: onTerminal)
    }

    /// Types a line for stripctl as a user who owns nothing here; `nil` if that user cannot run it at all.
    func asSomeoneElse(_ line: String) async throws -> RunningProgram? {
        let nobody = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]
        let test = try await start("stripctl", ["--version"], through: nobody)
        guard await test.end().status == 0 else { return nil }
        return try await start("stripctl", ["--socket", socket] + words(of: line), through: nobody)
    }

    // MARK: Looking

    /// `stripctl status TARGET --json`.
    func status(_ target: String = "desk") async throws -> JSON {
        JSON(parsing: try await type("status \(target) --json").output)
    }

    /// Waits until the events tell of a strip like this, beginning with how it is now.
    func until(
        _ target: String = "desk", _ isWanted: @escaping @Sendable (JSON) -> Bool
    ) async throws {
        let watch = try await begin("watch \(target) --json")
        let came = await watch.line {
            let event = JSON(parsing: $0)
            return isWanted(event["event"] == "snapshot" ? event["data"]["strips"][0] : event["data"])
        }
        await watch.signal(SIGTERM)
        let soFar = await watch.soFar
        if came == nil { Issue.record("the strip did not come to that: \(soFar.output)\(soFar.errors)") }
    }

    /// Waits until there is a file of this name.
    nonisolated func fileAppears(_ name: String, in directory: String) async {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC))
        defer { close(descriptor) }
        inotify_add_watch(descriptor, directory, UInt32(IN_CREATE) | UInt32(IN_MOVED_TO))
        let (changes, sink) = AsyncStream.makeStream(of: Void.self)
        sink.yield()
        await Task(executorPreference: loop) { [loop] in
            loop.watch(descriptor, for: .readable) { _ in
                var buffer = [UInt8](repeating: 0, count: 4096)
                _ = read(descriptor, &buffer, buffer.count)
                sink.yield()
            }
        }.value
        for await _ in changes where exists(directory + "/" + name) { break }
        await Task(executorPreference: loop) { [loop] in loop.unwatch(descriptor) }.value
    }

    nonisolated func address(of strip: Int) -> String { StripDescription(index: strip).address.lowercased() }

    /// What a strip has received, but for status queries.
    func frames(of strip: Int = 0) async -> [String] { await bluez.frames(of: strip).filter { $0 != Frames.query } }

    /// What a strip has received to change its light: neither power nor queries.
    func lights(of strip: Int = 0) async -> [String] {
        await frames(of: strip).filter { $0 != Frames.on && $0 != Frames.off }
    }
}

/// Splits at spaces, as a shell does; what stands between single quotes is one word.
private func words(of line: String) -> [String] {
    var words: [String] = []
    for (index, part) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
        if index % 2 == 1 { words.append(String(part)) } else { words += part.split(separator: " ").map(String.init) }
    }
    return words
}
