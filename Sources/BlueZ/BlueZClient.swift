public import DBus
public import EventLoop

/// Everything we know of BlueZ and everything we ask of it: one connection, one mirror of its objects.
public actor BlueZClient {
    let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let busAddress: String
    public internal(set) var presence = Presence.noBus("not connected yet")

    public init(busAddress: String, on loop: EventLoop) {
        self.busAddress = busAddress
        self.loop = loop
    }

    public func run() async {}
    public var adapters: [Adapter] { [] }
    public func devices() -> [Device] { [] }
    public func devices(withAddress address: String) -> [Device] { [] }
    public func device(at path: ObjectPath) -> Device? { nil }
    public func characteristics(of device: ObjectPath) -> [Characteristic] { [] }
    public func events() -> AsyncStream<BlueZEvent> { AsyncStream { $0.finish() } }
    public func events(ofDevice address: String) -> AsyncStream<DeviceEvent> { AsyncStream { $0.finish() } }
    public func connect(_ device: ObjectPath) async throws(BlueZError) {}
    public func disconnect(_ device: ObjectPath) async throws(BlueZError) {}
    public func setTrusted(_ trusted: Bool, _ device: ObjectPath) async throws(BlueZError) {}
    public func remove(_ device: ObjectPath) async throws(BlueZError) {}
    public func write(
        _ value: [UInt8], to characteristic: ObjectPath, type: WriteType
    ) async throws(BlueZError) {}
    public func startNotifications(_ characteristic: ObjectPath) async throws(BlueZError) {}
    /// Devices heard on this adapter. Dropping the stream stops the discovery.
    public func discover(on adapter: ObjectPath) -> AsyncThrowingStream<Device, any Error> {
        AsyncThrowingStream { $0.finish() }
    }
    /// Whether a discovery of ours is on: true until `StopDiscovery` was answered.
    public func discoveryIsActive(on adapter: ObjectPath) -> Bool { false }
    /// Ends every `discover(on:)` stream of this adapter and returns once BlueZ has stopped.
    public func stopDiscovery(on adapter: ObjectPath) async {}
}
