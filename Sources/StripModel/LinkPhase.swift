/// Where the link to a strip is in its life, as users are shown it.
public enum LinkPhase: String, Codable, Hashable, Sendable, CaseIterable {
    case idle
    /// For the strip to be heard.
    case waiting
    case connecting
    case resolving
    case ready
    case releasing
    /// Between two attempts.
    case backingOff = "backing-off"
    /// No adapter, or none that is on, or no Bluetooth service.
    case unavailable
}
