// The one shape of every error that the API answers: RFC 9457 problem details, with a type that stays the same across
// releases.

public import StripModel

/// What went wrong, for programs (`type`) and for people (`detail`).
public struct Problem: Error, Codable, Hashable, Sendable {
    /// `urn:stripd:` and a `Kind` or a `FailureCause`.
    public var type: String
    public var title: String
    public var status: Int
    public var detail: String
    /// `failed`, where a change that was waited for came to nothing.
    public var outcome: Outcome.Kind?
    public var cause: FailureCause?
    public var strip: StripView?
    /// Each thing that is wrong with the body or the query.
    public var errors: [Mistake]?
    /// What may have been meant.
    public var suggestions: [String]?
    /// Strips in the air of which one has to be chosen, nearest first.
    public var found: [FoundStrip]?

    /// One member that was refused.
    public struct Mistake: Codable, Hashable, Sendable {
        /// The member's name, or a query parameter's.
        public var member: String
        public var detail: String

        public init(member: String, detail: String) {
            self.member = member
            self.detail = detail
        }
    }

    /// `Content-Type` of a problem (RFC 9457, section 3).
    public static let mediaType = "application/problem+json"
    static let prefix = "urn:stripd:"
}

extension Problem {
    /// The kinds of error that are not a strip's failure.
    public enum Kind: String, CaseIterable, Sendable {
        case malformed, refusedOrigin = "refused-origin", forbidden
        case noSuchRoute = "no-such-route", methodNotAllowed = "method-not-allowed", mediaType =
            "unsupported-media-type"
        case tooLarge = "too-large", badValue = "bad-value", unknownMember = "unknown-member"
        case noSuchStrip = "no-such-strip", ambiguousTarget = "ambiguous-target", noDefault = "no-default"
        case noneFound = "none-found", severalFound = "several-found", aliasTaken = "alias-taken",
            notKept = "not-kept"
        case busy, failed = "internal-error"
        /// Said by clients, to their own users.
        case unreachable, noAnswer = "no-daemon-answer"

        public var status: Int {
            switch self {
            case .malformed: 400
            case .refusedOrigin, .forbidden: 403
            case .noSuchRoute, .noSuchStrip, .noneFound: 404
            case .methodNotAllowed: 405
            case .ambiguousTarget, .noDefault, .severalFound, .aliasTaken: 409
            case .tooLarge: 413
            case .mediaType: 415
            case .badValue, .unknownMember: 422
            case .failed, .notKept: 500
            case .busy, .unreachable: 503
            case .noAnswer: 504
            }
        }

        public var title: String {
            switch self {
            case .malformed: "The request is malformed"
            case .refusedOrigin: "Requests from other web sites are refused"
            case .forbidden: "Not allowed"
            case .noSuchRoute: "There is nothing at this path"
            case .methodNotAllowed: "This path does not take that method"
            case .mediaType: "The body has to be JSON"
            case .tooLarge: "The request is too large"
            case .badValue: "A value is not valid"
            case .unknownMember: "A member is not known"
            case .noSuchStrip: "No such strip"
            case .ambiguousTarget: "The target fits several strips"
            case .noDefault: "No strip was named and there is no default"
            case .noneFound: "No strip was found"
            case .severalFound: "Several strips were found; none was adopted"
            case .aliasTaken: "The alias is taken"
            case .notKept: "The state could not be written"
            case .busy: "The daemon is busy"
            case .unreachable: "The daemon cannot be reached"
            case .noAnswer: "The daemon gave no answer that can be read"
            case .failed: "Something went wrong inside the daemon"
            }
        }
    }

    public init(
        _ kind: Kind, _ detail: String, errors: [Mistake]? = nil, suggestions: [String]? = nil,
        found: [FoundStrip]? = nil
    ) {
        (type, title, status, self.detail) = (Self.prefix + kind.rawValue, kind.title, kind.status, detail)
        (self.errors, self.suggestions, self.found) = (errors, suggestions, found)
    }

    /// A change that was waited for and came to nothing.
    public init(failed cause: FailureCause, strip: StripView?, detail: String? = nil) {
        type = Self.prefix + cause.rawValue
        title = "The change could not be carried out"
        status = cause.status
        self.detail = detail ?? cause.explanation
        (outcome, self.cause, self.strip) = (.failed, cause, strip)
    }

    /// `nil` for a failure cause, or for a kind that a newer daemon knows.
    public var kind: Kind? {
        guard type.hasPrefix(Self.prefix) else { return nil }
        return Kind(rawValue: String(type.dropFirst(Self.prefix.count)))
    }
}

extension FailureCause {
    /// The HTTP status of a failed change: 503 if nothing works for the host as a whole, 504 if it is this strip.
    public var status: Int {
        switch self {
        case .noAdapter, .adapterOff, .noBluetoothService, .notAllowed, .stopping: 503
        case .nothingToChange: 409
        default: 504
        }
    }
}
