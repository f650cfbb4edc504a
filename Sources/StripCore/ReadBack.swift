import Triones

/// Decides what to ask the strip, and what to believe of its answers: the closed loop. After the last wish it asks
/// once; a difference is looked at again, repaired once, and then shown as it is.
///
/// Pure: facts in, actions out.
struct ReadBack: Sendable {
    /// What a burst of wishes wrote; `nil` where it wrote nothing.
    struct Expectation: Hashable, Sendable {
        var power: Power?
        var light: Command?
        var isEmpty: Bool { power == nil && light == nil }
    }

    enum Action: Hashable, Sendable {
        /// Ask the strip this much later; replaces an earlier request.
        case query(after: Duration)
        case cancelQuery
        /// Call `answerOverdue` this much later, unless `cancelOverdue` comes first.
        case awaitAnswer(Duration)
        case cancelOverdue
        /// Write these once more, with the other write type where both are offered.
        case repair(Expectation)
        /// The strip shows something else than it was told, and goes on doing so.
        case differs
        /// It answers no queries on this link.
        case blind
    }

    /// Which parts of a report to believe.
    struct Belief: Hashable, Sendable {
        var power: Bool
        var light: Bool
        static let all = Belief(power: true, light: true)
    }

    private enum State: Hashable, Sendable {
        case settled
        /// A burst was written; its query is due.
        case due
        /// A query is on its way; the n-th look at this burst, counted from 0.
        case asked(look: Int)
        /// It differed; asked again later.
        case lookingAgain(look: Int)
    }

    private(set) var isBlind = false
    /// What is written without a link, or while it is given back, is not looked at.
    private var hasLink = false
    private var state = State.settled
    private var expected = Expectation()
    private var isQueryOpen = false
    private var wroteSinceQuery = false
    private var wasRepaired = false
    private var unanswered = 0
    private let timing: Timing

    init(timing: Timing) { self.timing = timing }

    /// Values that were written and are not confirmed or given up: a report may not overrule them yet.
    var isChecking: Bool { state != .settled }

    /// A new link: what was learnt about the old one no longer holds.
    mutating func linkUp() {
        hasLink = true
        isBlind = false
        wasRepaired = false
        unanswered = 0
        isQueryOpen = false
    }

    mutating func linkLost() -> [Action] {
        hasLink = false
        (state, expected, isQueryOpen) = (.settled, Expectation(), false)
        return [.cancelQuery, .cancelOverdue]
    }

    /// A wish was written.
    mutating func wrote(power: Power? = nil, light: Command? = nil) -> [Action] {
        wroteSinceQuery = true
        guard hasLink, !isBlind else { return [] }
        if let power { expected.power = power }
        if let light { expected.light = light }
        state = .due
        return [.query(after: timing.settle)]
    }

    /// The query was handed to the bus. Its answer may come before the write's own reply.
    mutating func asked() -> [Action] {
        isQueryOpen = true
        wroteSinceQuery = false
        switch state {
        case .due: state = .asked(look: 0)
        case .lookingAgain(let look): state = .asked(look: look)
        case .settled, .asked: break
        }
        return [.awaitAnswer(timing.answer)]
    }

    /// A status came.
    mutating func received(_ status: Status) -> (believe: Belief, actions: [Action]) {
        let answers = isQueryOpen && !wroteSinceQuery
        isQueryOpen = false
        unanswered = 0
        isBlind = false
        let actions: [Action] = [.cancelOverdue]
        guard isChecking else { return (.all, actions) }
        guard case .asked(let look) = state, answers else {
            // Older than what was written, or not asked for: it says nothing about that.
            return (Belief(power: expected.power == nil, light: expected.light == nil), actions)
        }
        let difference = status.difference(from: expected)
        if difference.isEmpty {
            settle()
            return (.all, actions)
        }
        if look < timing.secondLooks.count {
            state = .lookingAgain(look: look + 1)
            let believe = Belief(power: difference.power == nil, light: difference.light == nil)
            return (believe, actions + [.query(after: timing.secondLooks[look])])
        }
        if !wasRepaired {
            wasRepaired = true
            state = .due
            let believe = Belief(power: difference.power == nil, light: difference.light == nil)
            return (believe, actions + [.query(after: timing.settle), .repair(expected)])
        }
        settle()
        return (.all, actions + [.differs])
    }

    /// The open query was not answered in time.
    mutating func answerOverdue() -> [Action] {
        guard isQueryOpen else { return [] }
        isQueryOpen = false
        unanswered += 1
        guard unanswered >= timing.queriesBeforeBlind else {
            if state == .due { return [] }  // asked soon anyway, about the newer burst
            if case .asked(let look) = state { state = .lookingAgain(look: look) }
            return [.query(after: .zero)]
        }
        isBlind = true
        settle()
        return [.cancelQuery, .blind]
    }

    /// No report will come on this link: the strip has nothing to report by, or refuses the subscription.
    mutating func noReports() -> [Action] {
        isBlind = true
        isQueryOpen = false
        settle()
        return [.cancelQuery, .cancelOverdue]
    }

    /// There is something to report by after all: it came late.
    mutating func reportsCame() { isBlind = false }

    private mutating func settle() { (state, expected) = (.settled, Expectation()) }
}

extension Status {
    /// The parts of `expected` that this report contradicts.
    func difference(from expected: ReadBack.Expectation) -> ReadBack.Expectation {
        var difference = ReadBack.Expectation()
        if let wanted = expected.power, let power, power != wanted { difference.power = wanted }
        if let wanted = expected.light, !shows(wanted) { difference.light = wanted }
        return difference
    }

    /// The only hint that a report gives at the white LEDs (triones.md, "Status").
    var showsWhite: Bool { mode == .still && white > 0 && (red, green, blue) == (0, 0, 0) }

    /// Whether this is what a strip reports that does as `command` says.
    func shows(_ command: Command) -> Bool {
        switch command {
        case .color(let red, let green, let blue):
            mode == .still && (self.red, self.green, self.blue) == (red, green, blue) && !showsWhite
        case .white(let level): mode == .still && white == level
        case .effect(let code, let speed): mode == .effect(code) && self.speed == speed.rawValue
        case .power, .queryStatus, .unlock: true
        }
    }
}
