import Triones

@testable import StripCore

/// A queue, and a strip that takes every frame.
struct Writer {
    var queue = WriteQueue(pace: .milliseconds(100), powerFreshness: .seconds(2))
    var known: WriteQueue.PowerFact?
    var now = Duration.zero
    var mayQuery = true
    /// As in `1 written`, in order.
    var ended: [String] = []

    init(known: WriteQueue.PowerFact? = nil) { self.known = known }

    @discardableResult
    mutating func add(
        _ change: UInt64, power: Power? = nil, light: WriteQueue.Light? = nil, impliesOn: Bool = false
    ) -> [String] {
        let before = ended.count
        note(queue.add(change, power: power, light: light, impliesOn: impliesOn))
        return Array(ended[before...])
    }

    /// Begins the next frame, if one may go out now.
    mutating func start() -> String? {
        let (step, completions) = queue.next(at: now, known: known, mayQuery: mayQuery)
        note(completions)
        guard case .write(let write) = step else { return nil }
        underWay = write.command
        return Frame(write.command).description
    }
    private var underWay: Command?

    mutating func written() {
        if case .power(let power)? = underWay { known = WriteQueue.PowerFact(power: power, at: now) }
        note(queue.written())
    }

    mutating func failed() { note(queue.failed()) }

    /// All that goes out, waiting where the pace asks for it.
    mutating func write() -> [String] {
        var frames: [String] = []
        while true {
            if let frame = start() {
                frames.append(frame)
                written()
            } else if case .wait(let pause) = queue.next(at: now, known: known, mayQuery: mayQuery).step {
                now += pause
            } else {
                return frames
            }
        }
    }

    private mutating func note(_ completions: [WriteQueue.Completion]) {
        ended += completions.map { "\($0.change) \($0.outcome)" }
    }
}
