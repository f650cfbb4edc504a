public import FoundationEssentials

/// How well a value is known.
public enum Certainty: String, Codable, Hashable, Sendable, CaseIterable {
    /// The strip said so.
    case reported
    /// It was written, and not confirmed.
    case assumed
    case unknown
}

/// How well a value is known, and since when: `{"is": "reported", "at": "2026-12-01T02:03:04Z"}`.
public struct Knowledge: Hashable, Sendable {
    public var `is`: Certainty
    /// `nil` where there is nothing to be dated. JSON keeps whole seconds of it.
    public var at: Date?

    public static let none = Knowledge(is: .unknown, at: nil)

    public init(is certainty: Certainty, at date: Date?) {
        self.is = certainty
        self.at = date
    }
}

/// Dates are ISO 8601 in UTC whatever the encoder is set to: the form is part of the API.
extension Knowledge: Codable {
    enum CodingKeys: String, CodingKey {
        case `is`, at
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.is = try members.decode(Certainty.self, forKey: .is)
        at = try members.decodeIfPresent(String.self, forKey: .at).map { try Date($0, strategy: .iso8601) }
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.is, forKey: .is)
        try members.encode(at?.formatted(.iso8601), forKey: .at)
    }
}
