/// Every duration that the light depends on, in one place and from outside, so that a test need not wait.
/// The defaults are those of the design: section 5, "What a command means".
public struct Timing: Sendable, Hashable {
    /// A change that names no deadline of its own fails after this.
    public var deadline = Duration.seconds(20)
    /// A change fails after this when there is no adapter, it is off, or no Bluetooth service runs.
    public var worldGrace = Duration.seconds(3)
    /// An *on* that was written or reported at most this long ago is not written again for a colour's sake.
    public var powerFreshness = Duration.seconds(2)
    /// Between two frames of one slot: 10 a second, the pace of the vendor's app (triones.md, "Pace").
    public var pace = Duration.milliseconds(100)
    /// From the last wish written to the query that checks it.
    public var settle = Duration.milliseconds(500)
    /// A query that is not answered within this is given up.
    public var answer = Duration.seconds(2)
    /// When a report differs from what was written, it is asked for again after each of these: strips lag.
    public var secondLooks: [Duration] = [.seconds(1), .seconds(5)]
    /// So many times a subscription is tried on one link.
    public var subscribeAttempts = 3
    /// So many queries unanswered in a row, and the strip is blind on this link.
    public var queriesBeforeBlind = 3
    /// For a Connect that is never answered; BlueZ gives up after 42 s at most (bluez.md, "Connect that fails").
    public var connect = Duration.seconds(60)
    /// For a Disconnect whose effect is never told; it takes 2.8 s at most (bluez.md, "Connecting").
    public var release = Duration.seconds(5)
    /// From Connect's reply to the GATT objects; BlueZ itself gives up after 30 s (facts recorded in bluez.md).
    public var resolve = Duration.seconds(15)
    /// From `ServicesResolved` to GATT objects that come late.
    public var lateObjects = Duration.seconds(2)
    /// First pause after a failed Connect; doubled each time.
    public var firstBackOff = Duration.milliseconds(100)
    /// The pause grows no longer than this.
    public var longestBackOff = Duration.seconds(10)
    /// How long a link is kept after the last command.
    public var keepLink = KeepLink.after(.seconds(120))
    /// From a change of what is known to the event that tells of it, together with all that changes meanwhile.
    public var telling = Duration.milliseconds(5)
    /// From the last change of a strip to writing the state file.
    public var save = Duration.seconds(5)
    /// A first command with no strip known listens this long at most, and this much longer once one was heard.
    public var firstScan = Duration.seconds(10)
    public var firstScanAfterOne = Duration.seconds(2)

    public init() {}
}

/// When a link that nobody uses is given back.
public enum KeepLink: Sendable, Hashable {
    case after(Duration)
    /// Never, and a lost link is rebuilt.
    case always
}
