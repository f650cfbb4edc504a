/// Where the daemon says what it does: one line an event.
public struct Log: Sendable {
    /// As syslog numbers them, the gravest first.
    public enum Level: Int, Sendable, CaseIterable, Comparable {
        case error = 3, warning, notice, info, debug

        public static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    private let level: Level
    private let sink: @Sendable (Level, String) -> Void

    /// - Parameter level: lines that are less grave are not even put together.
    public init(_ level: Level, sink: @escaping @Sendable (Level, String) -> Void) {
        self.level = level
        self.sink = sink
    }

    /// `log(.info, "…")`: one line, without its end.
    public func callAsFunction(_ level: Level, _ line: @autoclosure () -> String) {
        if level <= self.level { sink(level, line()) }
    }
}
