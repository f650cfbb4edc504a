import Triones

/// The words of `WriteQueue`: what goes in, what comes out, and how a change ends.
extension WriteQueue {
    typealias ChangeID = UInt64

    enum Slot: Hashable, Sendable, CaseIterable { case power, light, query }

    /// How a change ended, as far as the queue knows.
    struct Completion: Hashable, Sendable {
        var change: ChangeID
        var outcome: Outcome
    }
    enum Outcome: Hashable, Sendable { case written, superseded }

    /// What to do now.
    enum Step: Hashable, Sendable {
        case write(Write)
        /// The pace allows the next frame this much later.
        case wait(Duration)
        /// Nothing to write, or a write is outstanding.
        case rest
    }

    struct Write: Hashable, Sendable {
        var slot: Slot
        var command: Command
        /// What the strip shows once a light is written.
        var look: Look?
    }

    /// A wanted light: the frame, and the look that it stands for.
    struct Light: Hashable, Sendable {
        var command: Command
        var look: Look
    }

    /// The strip's power as far as it is known, and when that was learnt.
    struct PowerFact: Hashable, Sendable {
        var power: Power
        var at: Duration
    }
}
