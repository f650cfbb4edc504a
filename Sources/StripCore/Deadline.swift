import EventLoop

/// Ends the reading of a stream at a time that can be brought forward.
struct Deadline {
    private let loop: EventLoop
    private let end: AsyncStream<Never>.Continuation
    private let stream: AsyncStream<Never>
    private var timer: TimerID
    private var due: Duration

    init(loop: EventLoop, after duration: Duration) {
        self.loop = loop
        due = loop.now + duration
        let (stream, end) = AsyncStream.makeStream(of: Never.self)
        (self.stream, self.end) = (stream, end)
        timer = loop.schedule(after: duration) { end.finish() }
    }

    /// Ends it this much later from now, unless it ends sooner anyway.
    mutating func shorten(to duration: Duration) {
        guard loop.now + duration < due else { return }
        due = loop.now + duration
        loop.cancel(timer)
        timer = loop.schedule(after: duration) { [end] in end.finish() }
    }

    /// The elements of `source` until the deadline.
    func elements<Element: Sendable>(of source: AsyncStream<Element>) -> AsyncStream<Element> {
        let (merged, sink) = AsyncStream.makeStream(of: Element.self)
        let reader = Task(executorPreference: loop) {
            for await element in source { sink.yield(element) }
            sink.finish()
        }
        sink.onTermination = { [end] _ in
            reader.cancel()
            end.finish()
        }
        Task(executorPreference: loop) { [stream] in
            for await _ in stream {}
            sink.finish()
        }
        return merged
    }
}
