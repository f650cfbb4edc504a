// What became of a change: the answer to a PATCH, for one target or for several.

public import StripModel

/// The answer for one strip.
public struct Outcome: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// The daemon has it and will carry it out.
        case accepted
        /// The strip has it.
        case written
        /// A newer change took its place; the newer one is what counts.
        case superseded
        case failed
    }

    public var outcome: Kind
    public var strip: StripView
    public var cause: FailureCause?
    public var detail: String?
    /// Sentences for a person: that a strip was adopted, that white was mixed from RGB, ...
    public var notes: [String]

    public init(
        _ outcome: Kind, strip: StripView, cause: FailureCause? = nil, detail: String? = nil, notes: [String] = []
    ) {
        (self.outcome, self.strip, self.cause, self.detail, self.notes) = (outcome, strip, cause, detail, notes)
    }
}

/// The answer for several strips: 200 if all went well, 207 otherwise.
public struct OutcomeList: Codable, Hashable, Sendable {
    public var results: [Result]

    public init(results: [Result]) { self.results = results }

    /// One target's part: what a request for it alone would have been answered.
    public struct Result: Codable, Hashable, Sendable {
        /// The strip's address. A target that means no strip refuses the whole request: half a room is not changed.
        public var id: String
        /// The HTTP status that it alone would have had.
        public var status: Int
        public var outcome: Outcome.Kind
        public var strip: StripView?
        public var cause: FailureCause?
        /// The problem's type, where there is one.
        public var type: String?
        public var detail: String?
        public var notes: [String]

        public init(id: String, _ outcome: Outcome, status: Int = 200) {
            (self.id, self.status, self.outcome, strip) = (id, status, outcome.outcome, outcome.strip)
            (cause, detail, notes) = (outcome.cause, outcome.detail, outcome.notes)
        }

        public init(id: String, _ problem: Problem) {
            (self.id, status, outcome, strip) = (id, problem.status, .failed, problem.strip)
            (cause, type, detail, notes) = (problem.cause, problem.type, problem.detail, [])
        }
    }
}

/// What would be sent, without sending it.
public struct DryRun: Codable, Hashable, Sendable {
    /// Each frame in hexadecimal digits, in the order of the wire: `"cc 23 33"`.
    public var frames: [String]
    public var notes: [String]

    public init(frames: [String], notes: [String] = []) { (self.frames, self.notes) = (frames, notes) }
}
