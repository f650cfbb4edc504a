/// The strip's own program: bytes in, light and notifications out. It knows no clock but the one it is told.
struct StripFirmware: Sendable {
    private(set) var state: FirmwareState
    private let model: UInt8
    private let version: UInt8
    private let quirks: Set<Quirk>
    private var locked: Bool
    private var clock = [UInt8](repeating: 0, count: 8)  // century, year, month, day, hour, minute, second, weekday
    private var timers = [UInt8]((0..<6).flatMap { _ in [0x0F] + [UInt8](repeating: 0, count: 13) })
    private var timerSet: [UInt8] = []  // the pieces so far of a timer set that is arriving
    private var lag: Duration
    private var past: [(until: Duration, state: FirmwareState)] = []  // what a lagging report still shows, oldest first

    /// What the strip does about a frame.
    struct Reaction: Hashable, Sendable {
        var ignored = false
        /// To be notified on FFD4, in order, none longer than 20 bytes.
        var notifications: [[UInt8]] = []

        static let ignored = Reaction(ignored: true)
    }

    init(_ description: StripDescription) {
        state = description.state
        model = description.model
        version = description.version
        quirks = description.quirks
        locked = description.quirks.contains(.locked)
        lag = description.lag
    }

    mutating func receive(_ frame: [UInt8], as type: ReceivedFrame.WriteType, at now: Duration) -> Reaction {
        if !timerSet.isEmpty || (frame.first == 0x23 && !locked) { return collectTimers(frame) }
        guard let meaning = FrameMeaning(frame) else { return .ignored }
        if locked, meaning != .unlock { return .ignored }
        switch meaning {
        case .power(let on):
            if quirks.contains(.powerRequest), type != .request { return .ignored }
            change(at: now) { $0.on = on }
            return quirks.contains(.powerAck)
                ? Reaction(notifications: [[0xCC, on ? 0x23 : 0x24, 0x00, 0x00]]) : Reaction()
        case .color(let red, let green, let blue):
            return light(at: now) {
                ($0.mode, $0.red, $0.green, $0.blue, $0.white) = (FirmwareState.still, red, green, blue, 0)
            }
        case .white(let white):
            let shown = quirks.contains(.rgbOnly) ? 0 : white
            return light(at: now) {
                ($0.mode, $0.red, $0.green, $0.blue, $0.white) = (FirmwareState.still, 0, 0, 0, shown)
            }
        case .effect(let code, let speed):
            return light(at: now) { ($0.mode, $0.speed) = (code, speed) }
        case .statusQuery:
            return quirks.contains(.statusMute) ? Reaction() : Reaction(notifications: [status(at: now)])
        case .unlock:
            locked = false
            return Reaction()
        case .clock(let time):
            clock = time
            return Reaction()
        case .clockQuery:
            return Reaction(notifications: [[0x13, 0x00] + clock.dropFirst() + [0x00, 0x31]])
        case .timerQuery:
            return quirks.contains(.noTimers)
                ? .ignored : Reaction(notifications: pieces([0x25] + timers + [0x00, 0x52]))
        }
    }

    /// The 12 bytes of a report. `lie` and `lag` make it differ from `state`.
    func status(at now: Duration) -> [UInt8] {
        var shown = past.first { now < $0.until }?.state ?? state
        if quirks.contains(.lie) { swap(&shown.red, &shown.green) }
        return [
            0x66, model, shown.on ? 0x23 : 0x24, shown.mode, 0x20, shown.speed, shown.red, shown.green, shown.blue,
            shown.white, version, 0x99,
        ]
    }

    /// Changes the light from outside: a remote control, or the test itself.
    mutating func change(at now: Duration, _ change: (inout FirmwareState) -> Void) {
        past.removeAll { $0.until <= now }
        if lag > .zero { past.append((until: now + lag, state: state)) }
        change(&state)
    }

    mutating func setLag(_ lag: Duration) {
        self.lag = lag
        past = []
    }

    private mutating func light(at now: Duration, _ change: (inout FirmwareState) -> Void) -> Reaction {
        if quirks.contains(.offDeaf), !state.on { return .ignored }
        self.change(at: now, change)
        return Reaction()
    }

    /// A timer set is 87 bytes, in one write or in pieces.
    private mutating func collectTimers(_ piece: [UInt8]) -> Reaction {
        timerSet += piece
        guard timerSet.count >= 87 else { return Reaction() }
        defer { timerSet = [] }
        guard timerSet.count == 87, timerSet[85...] == [0x00, 0x32], !quirks.contains(.noTimers) else {
            return .ignored
        }
        timers = [UInt8](timerSet[1...84])
        return Reaction()
    }

    private func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: 20).map { [UInt8](bytes[$0..<min($0 + 20, bytes.count)]) }
    }
}
