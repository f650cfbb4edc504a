import BlueZ
import DBus
import EventLoop
public import StripModel

/// Listening for strips nearby.
extension StripRegistry {
    /// Listens for `seconds` and tells which devices were heard, the strongest first.
    ///
    /// - Throws: `FailureCause` if there is no adapter to listen with.
    public func scan(for duration: Duration) async throws(FailureCause) -> [HeardDevice] {
        try await listen(for: duration) { _ in nil }
    }

    /// Adopts the one strip that is heard, for a first command that names none. It listens until 2 s after the first
    /// strip was heard, 10 s at most.
    public func adoptTheOnlyOne() async throws(FirstAdoptionError) -> Strip {
        let heard: [HeardDevice]
        do throws(FailureCause) {
            let more = timing.firstScanAfterOne
            heard = try await listen(for: timing.firstScan) { $0.verdict == .strip ? more : nil }
        } catch {
            throw .failed(error)
        }
        let strips = heard.filter { $0.verdict == .strip }
        guard let only = strips.first else { throw .noneHeard(others: heard) }
        guard strips.count == 1 else { throw .several(strips) }
        do throws(InvalidValue) {
            return try await adopt(only.address, as: nil, onTrial: true)
        } catch {
            throw .failed(.failed)  // without an alias nothing can be taken
        }
    }

    /// - Parameter shorten: how much longer to listen at most, now that this device was heard.
    private func listen(
        for duration: Duration, shorten: @escaping @Sendable (HeardDevice) -> Duration?
    ) async throws(FailureCause) -> [HeardDevice] {
        if let cause = await causeAfterGrace() { throw cause }
        let events = await bluez.events()
        let id = await radio.startListening()
        var until = Deadline(loop: loop, after: duration)
        var heard: [String: HeardDevice] = [:]
        func note(_ device: Device) {
            guard device.rssi != nil, let found = HeardDevice(device) else { return }
            if let known = heard[device.address], known.rssi ?? .min > found.rssi ?? .min { return }
            heard[device.address] = found
            if let more = shorten(found) { until.shorten(to: more) }
        }
        let usable = Set(await radio.usableAdapters().map(\.path))
        for device in await bluez.devices() where usable.contains(device.adapter) { note(device) }
        for await event in until.elements(of: events) {
            if case .device(let device) = event, usable.contains(device.adapter) { note(device) }
        }
        await radio.stopListening(id)
        // Strips with a link do not advertise, and are near all the same.
        for device in await bluez.devices() where device.connected && usable.contains(device.adapter) {
            guard let address = BluetoothAddress(device.address), strips[address] != nil else { continue }
            heard[device.address] = heard[device.address] ?? HeardDevice(device)
        }
        return heard.values.sorted { ($0.rssi ?? .min, $1.address) > ($1.rssi ?? .min, $0.address) }
    }
}

/// A device that was heard while listening.
public struct HeardDevice: Hashable, Sendable {
    public var address: BluetoothAddress
    /// As it came over the air.
    public var name: String?
    /// Signal strength in dBm; nearer to zero is stronger.
    public var rssi: Int?
    /// As in `hci0`.
    public var adapter: String
    public var verdict: NameVerdict

    init?(_ device: Device) {
        guard let address = BluetoothAddress(device.address) else { return nil }
        self.address = address
        name = device.name
        rssi = device.rssi
        adapter = String(device.adapter.lastComponent)
        verdict = NameVerdict(name: device.name)
    }
}

/// Why a first command without a known strip could not choose one.
public enum FirstAdoptionError: Error, Hashable, Sendable {
    case noneHeard(others: [HeardDevice])
    case several([HeardDevice])
    case failed(FailureCause)
}
