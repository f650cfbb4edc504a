public import DBus
public import EventLoop

/// Everything we know of BlueZ and everything we ask of it: one connection to the bus, one subscription, one mirror of
/// BlueZ's objects.
///
/// `run()` keeps it going; everything may be called at any time and answers from what is known now. To miss nothing,
/// subscribe first and read the model afterwards.
public actor BlueZClient {
    let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let busAddress: String
    let timing: Timing
    /// As of now; `events()` tells of each change.
    public internal(set) var presence = Presence.noBus("not connected yet")

    // The connection.
    var bus: Bus?
    /// bluetoothd's unique name. Calls go there, not to `org.bluez`: so they start no service, and none that was meant
    /// for one bluetoothd can reach the next.
    var owner: String?
    /// Counts owners, so that work for an earlier one can be told from work for this one.
    var generation: UInt64 = 0
    var loading: Task<Void, Never>?
    /// Signals that came before the objects were read; `nil` once they are.
    var early: [Signal]? = []
    var activated = false

    // The model, and who wants to hear of it.
    var tree = ObjectTree()
    var readers: [UInt64: Mailbox<BlueZEvent, ObjectPath>] = [:]
    var deviceReaders: [String: [UInt64: Mailbox<DeviceEvent, ObjectPath>]] = [:]  // by address
    var ended = false

    // What is under way.
    var openCalls: [UInt64: OpenCall] = [:]
    var discoveries: [ObjectPath: Discovery] = [:]
    var lastID: UInt64 = 0

    public init(busAddress: String, on loop: EventLoop) {
        self.init(busAddress: busAddress, on: loop, timing: Timing())
    }

    init(busAddress: String, on loop: EventLoop, timing: Timing) {
        self.busAddress = busAddress
        self.loop = loop
        self.timing = timing
    }

    /// How long we wait for what may never come.
    struct Timing {
        /// Before the bus or BlueZ's objects are tried again, for the first time and at most.
        var retry: ClosedRange<Duration> = .milliseconds(500) ... .seconds(30)
        /// StartDiscovery is not answered when several clients call it at once (Protocol/bluez.md, "Discovery").
        var startDiscovery = Duration.seconds(3)
        var stopDiscovery = Duration.seconds(5)
        /// How long a Connect keeps our own discovery off. A strip in range takes 0.3 s.
        var quietForConnect = Duration.seconds(3)
        /// BlueZ itself gives up on a silent peer after 30 s.
        var attRequest = Duration.seconds(40)
        var other = Duration.seconds(25)
    }

    func newID() -> UInt64 {
        lastID += 1
        return lastID
    }

    // MARK: The model

    /// In the order of their numbers: hci2 before hci10.
    public var adapters: [Adapter] { tree.adapters.values.sorted() }

    /// All that BlueZ knows, in the order of their paths.
    public func devices() -> [Device] { tree.devices.values.sorted { $0.path.text < $1.path.text } }

    /// One for each adapter that knows the address, which may be in either case.
    public func devices(withAddress address: String) -> [Device] { tree.devices(withAddress: address.uppercased()) }

    /// `nil` if BlueZ knows no device at this path.
    public func device(at path: ObjectPath) -> Device? { tree.devices[path] }

    /// In the order of their handles. They are kept by BlueZ over a link loss.
    public func characteristics(of device: ObjectPath) -> [Characteristic] { tree.characteristics(of: device) }
}
