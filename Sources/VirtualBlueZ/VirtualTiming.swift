/// How long the simulated radio, bluetoothd and strips take. The defaults are what was recorded from the real ones.
///
/// A `zero` means "at once", in the same order as otherwise.
public struct VirtualTiming: Sendable, Hashable {
    // MARK: bluetoothd

    /// From `start()` to the adapter objects; zero: they are there when `start()` returns.
    public var adapterAppears = Duration.milliseconds(400)
    /// From the adapter object to `Powered: true`; zero: it appears powered.
    public var adapterPowersUp = Duration.milliseconds(50)
    public var powerOn = Duration.milliseconds(50)
    public var powerOff = Duration.milliseconds(95)
    public var discoveryStarts = Duration.milliseconds(40)
    public var discoveryStops = Duration.milliseconds(80)
    /// A device that is not connected goes this long after it was last heard, or after its link ended.
    public var vanish = Duration.seconds(30)
    /// Bluetoothd's own delay before it ends a link on `Disconnect`.
    public var disconnect = Duration.seconds(2)
    /// A call on a controller that answers nothing: `Disconnect` and `StartDiscovery`.
    public var hungDisconnect = Duration.milliseconds(4700)
    public var hungDiscovery = Duration.seconds(4)

    // MARK: The air

    /// From the beginning of a scan (or of advertising) to the first report.
    public var firstReport = Duration.milliseconds(60)
    /// A scan restarts this often; the duplicate filter lets one report through in each.
    public var rssiPeriod = Duration.milliseconds(10240)
    /// From `Connect` to `Connected: true`.
    public var connect = Duration.milliseconds(190)
    /// From `Connected: true` to the reply.
    public var connectReply = Duration.milliseconds(130)
    /// From the reply to the GATT objects of a strip that is new to bluetoothd.
    public var resolve = Duration.milliseconds(1030)
    /// From `Connected: true` to `ServicesResolved` where the GATT objects were kept; requests wait for it, commands do not.
    public var resolveKept = Duration.milliseconds(700)
    /// From `ServicesResolved` to the name that was read from the strip.
    public var nameRead = Duration.milliseconds(200)
    /// How long `Connect` tries to reach a strip that does not advertise.
    public var outOfRange = Duration.seconds(40)
    /// From that failure, or from its cancellation, to the end of the object.
    public var abandon = Duration.milliseconds(200)
    /// From `Connected: true` to the error, where the strip refuses the link.
    public var refusal = Duration.milliseconds(250)
    /// Paging a strip over classic Bluetooth, with no answer.
    public var paging = Duration.milliseconds(5100)
    /// From the end of a link that the strip ended to the signal.
    public var drop = Duration.milliseconds(55)
    /// From the strip's silence to the end of the link.
    public var supervision = Duration.milliseconds(500)
    /// From the end of a link to advertising again.
    public var readvertise = Duration.milliseconds(50)

    // MARK: Attributes

    public var requestArrives = Duration.milliseconds(34)
    public var requestReply = Duration.milliseconds(89)
    public var commandArrives = Duration.milliseconds(36)
    public var commandReply = Duration.milliseconds(6)
    /// Commands follow each other no faster.
    public var commandSpacing = Duration.milliseconds(8)
    /// From a query's arrival at the strip to the signal with its answer.
    public var answer = Duration.milliseconds(48)
    /// A request that the strip never answers.
    public var attributeTimeout = Duration.seconds(30)
    /// From that timeout to the end of the link.
    public var deadLink = Duration.seconds(2)

    public init() {}

    /// As recorded from bluetoothd 5.66.
    public static let recorded = VirtualTiming()

    /// For tests: nothing takes longer than a few milliseconds, except what a test would not want to happen on a slow
    /// machine. A device vanishes after 30 s, a strip out of range fails after 100 ms.
    public static let fast: VirtualTiming = {
        var timing = VirtualTiming()
        for delay: WritableKeyPath<VirtualTiming, Duration> in [
            \.adapterAppears, \.adapterPowersUp, \.powerOn, \.powerOff, \.discoveryStarts, \.discoveryStops,
            \.firstReport, \.connect,
            \.connectReply, \.resolve, \.resolveKept, \.nameRead, \.abandon, \.refusal, \.drop, \.supervision,
            \.readvertise, \.requestArrives, \.commandArrives, \.commandReply, \.commandSpacing, \.answer,
            \.disconnect, \.requestReply,
        ] { timing[keyPath: delay] = .zero }
        timing.vanish = .seconds(30)
        timing.rssiPeriod = .milliseconds(20)
        timing.outOfRange = .milliseconds(100)
        timing.paging = .milliseconds(10)
        timing.attributeTimeout = .milliseconds(50)
        timing.deadLink = .milliseconds(20)
        timing.hungDisconnect = .milliseconds(20)
        timing.hungDiscovery = .milliseconds(20)
        return timing
    }()
}
