import DBus
import StripModel

/// Decides what to do about the link to one strip. Pure: it takes facts, answers actions, and knows no clock.
struct LinkStateMachine: Sendable {
    enum State: Hashable, Sendable {
        /// No link, and none is wanted.
        case idle
        /// A link is wanted and BlueZ knows no such device: the radio listens for it.
        case waitingForDevice(attempt: Int)
        /// Connect was called, or waits for the radio.
        case connecting(ObjectPath, attempt: Int)
        /// Connected, services not resolved. With `kept` endpoints from an earlier link, writing may begin at once.
        case resolving(ObjectPath, kept: Endpoints?, attempt: Int)
        /// Services are resolved and nothing takes commands: objects may come late.
        case searchingEndpoints(ObjectPath, attempt: Int)
        case ready(ObjectPath, Endpoints)
        /// Disconnect was called. A wish is still written if the link takes it; Connect waits for its end.
        case releasing(ObjectPath, Endpoints?)
        /// Connect failed; it is tried again.
        case backingOff(attempt: Int)
        /// No adapter, adapter off, no Bluetooth service: nothing can be tried.
        case unavailable(FailureCause)
    }

    enum Action: Hashable, Sendable {
        case scan
        case stopScanning
        case connect(ObjectPath)
        /// Ends the link, or a Connect that is under way.
        case disconnect(ObjectPath)
        /// Makes BlueZ keep the device, so that later links need no scan.
        case trust(ObjectPath)
        case startNotifications(ObjectPath)
        /// Frames may be written now.
        case write
        case schedule(LinkTimer)
        case cancel(LinkTimer)
        /// What is waiting cannot be had on this strip, whatever the deadline.
        case fail(FailureCause)
        /// The link is up for the first time since it was wanted, or gone again.
        case linkUp
        case linkDown
    }

    enum LinkTimer: Hashable, Sendable {
        /// The n-th pause after a failed Connect.
        case backOff(Int)
        case resolve
        case lateObjects
        case keepLink
    }

    private(set) var state: State
    /// Why the last attempt failed; `nil` after a success.
    private(set) var lastFailure: FailureCause?
    private var isWanted = false
    private let keepsAlways: Bool
    /// Services were resolved without a characteristic to write to, once already: the next time is final.
    private var foundNothingBefore = false

    init(keepsAlways: Bool, unavailable: FailureCause?) {
        self.keepsAlways = keepsAlways
        state = unavailable.map { .unavailable($0) } ?? .idle
    }

    /// Where to write, when frames can be written now.
    var writableEndpoints: Endpoints? {
        switch state {
        case .ready(_, let endpoints): endpoints
        case .resolving(_, let kept, _): kept
        case .releasing(_, let endpoints): endpoints
        case .idle, .waitingForDevice, .connecting, .searchingEndpoints, .backingOff, .unavailable: nil
        }
    }

    var phase: LinkPhase {
        switch state {
        case .idle: .idle
        case .waitingForDevice: .waiting
        case .connecting: .connecting
        case .resolving, .searchingEndpoints: .resolving
        case .ready: .ready
        case .releasing: .releasing
        case .backingOff: .backingOff
        case .unavailable: .unavailable
        }
    }

    /// The device that the link goes to, once there is one.
    var device: ObjectPath? {
        switch state {
        case .connecting(let device, _), .resolving(let device, _, _), .searchingEndpoints(let device, _),
            .ready(let device, _), .releasing(let device, _):
            device
        case .idle, .waitingForDevice, .backingOff, .unavailable: nil
        }
    }

    // MARK: What is wanted

    /// Something waits to be written or asked.
    ///
    /// - Parameter device: the device object, if BlueZ has one.
    mutating func want(device: ObjectPath?) -> [Action] {
        isWanted = true
        switch state {
        case .idle: return begin(device, attempt: 0)
        case .ready: return [.write, .cancel(.keepLink)]
        case .resolving, .releasing: return [.write]
        case .waitingForDevice, .connecting, .searchingEndpoints, .backingOff, .unavailable: return []
        }
    }

    /// Nothing waits any more: it was all done, or given up.
    mutating func wantNothing() -> [Action] {
        isWanted = false
        switch state {
        case .ready where keepsAlways: return []
        case .ready: return [.schedule(.keepLink)]
        case .waitingForDevice where !keepsAlways:
            state = .idle
            return [.stopScanning]
        case .backingOff(let attempt) where !keepsAlways:
            state = .idle
            return [.cancel(.backOff(attempt))]
        case .connecting(let device, _) where !keepsAlways:
            state = .releasing(device, nil)
            return [.disconnect(device)]
        case .idle, .waitingForDevice, .connecting, .resolving, .searchingEndpoints, .releasing, .backingOff,
            .unavailable:
            return []
        }
    }

    /// The link is given back at once.
    mutating func release() -> [Action] {
        isWanted = false
        switch state {
        case .waitingForDevice:
            state = .idle
            return [.stopScanning]
        case .backingOff(let attempt):
            state = .idle
            return [.cancel(.backOff(attempt))]
        case .connecting(let device, _), .resolving(let device, _, _), .searchingEndpoints(let device, _),
            .ready(let device, _):
            state = .releasing(device, nil)
            return [.cancel(.keepLink), .cancel(.resolve), .cancel(.lateObjects), .disconnect(device), .linkDown]
        case .idle, .releasing, .unavailable: return []
        }
    }

    private mutating func begin(_ device: ObjectPath?, attempt: Int) -> [Action] {
        guard let device else {
            state = .waitingForDevice(attempt: attempt)
            return [.scan]
        }
        state = .connecting(device, attempt: attempt)
        return [.connect(device)]
    }

    // MARK: The world

    /// The adapter or the Bluetooth service went away or came back.
    ///
    /// - Parameter cause: `nil` when links can be made.
    mutating func worldChanged(unavailable cause: FailureCause?, device: ObjectPath?) -> [Action] {
        guard let cause else {
            guard case .unavailable = state else { return [] }
            state = .idle
            return isWanted || keepsAlways ? begin(device, attempt: 0) : []
        }
        let down = leave()
        state = .unavailable(cause)
        lastFailure = cause
        return down
    }

    /// What has to be undone when the present state is left by force.
    private func leave() -> [Action] {
        switch state {
        case .waitingForDevice: [.stopScanning]
        case .backingOff(let attempt): [.cancel(.backOff(attempt))]
        case .resolving, .searchingEndpoints, .ready, .releasing:
            [.cancel(.resolve), .cancel(.lateObjects), .cancel(.keepLink), .linkDown]
        case .idle, .connecting, .unavailable: []
        }
    }

    // MARK: The device

    /// BlueZ has an object for the strip now.
    mutating func deviceFound(_ device: ObjectPath) -> [Action] {
        guard case .waitingForDevice(let attempt) = state else { return [] }
        return [.stopScanning] + begin(device, attempt: attempt)
    }

    /// It was heard just now: a pause is cut short.
    mutating func advertised(_ device: ObjectPath) -> [Action] {
        guard case .backingOff(let attempt) = state, attempt > 1 else { return deviceFound(device) }
        return [.cancel(.backOff(attempt))] + begin(device, attempt: 0)
    }

    mutating func deviceVanished(_ gone: ObjectPath) -> [Action] {
        guard device == gone else { return [] }
        return lost(cause: .outOfRange)
    }

    mutating func connectSucceeded(_ connected: ObjectPath, kept: Endpoints?, isResolved: Bool) -> [Action] {
        guard case .connecting(connected, let attempt) = state else { return [] }  // void: answered for an older wish
        lastFailure = nil
        state = .resolving(connected, kept: kept, attempt: attempt)
        let up: [Action] = [.linkUp, .schedule(.resolve), .trust(connected)]
        if isResolved { return up + resolved(connected, kept) }
        return kept == nil ? up : up + [.write]
    }

    /// Connect failed. `retry` says what kind of failure it was.
    mutating func connectFailed(_ failed: ObjectPath, _ failure: ConnectFailure) -> [Action] {
        switch state {
        case .releasing(failed, _): return ended()
        case .connecting(failed, let attempt):
            lastFailure = failure.cause
            switch failure {
            case .final(let cause):
                state = .idle
                isWanted = false
                return [.fail(cause)]
            case .vanished:
                return begin(nil, attempt: attempt + 1)
            case .retry:
                state = .backingOff(attempt: attempt + 1)
                return [.schedule(.backOff(attempt + 1))]
            }
        default: return []
        }
    }

    mutating func backOffElapsed(device: ObjectPath?) -> [Action] {
        guard case .backingOff(let attempt) = state else { return [] }
        guard isWanted || keepsAlways else {
            state = .idle
            return []
        }
        return begin(device, attempt: attempt)
    }

    /// `ServicesResolved` is true, or objects came late. `endpoints` is `nil` when nothing takes commands.
    mutating func resolved(_ resolvedDevice: ObjectPath, _ endpoints: Endpoints?) -> [Action] {
        switch state {
        case .resolving(resolvedDevice, _, let attempt), .searchingEndpoints(resolvedDevice, let attempt):
            guard let endpoints else {
                if case .searchingEndpoints = state { return [] }
                state = .searchingEndpoints(resolvedDevice, attempt: attempt)
                return [.cancel(.resolve), .schedule(.lateObjects)]
            }
            state = .ready(resolvedDevice, endpoints)
            foundNothingBefore = false
            var actions: [Action] = [.cancel(.resolve), .cancel(.lateObjects), .write]
            if let report = endpoints.report { actions.append(.startNotifications(report)) }
            if !isWanted, !keepsAlways { actions.append(.schedule(.keepLink)) }
            return actions
        default: return []
        }
    }

    /// The services stayed unresolved, or no characteristic to write to came.
    mutating func resolveElapsed() -> [Action] {
        let cause = FailureCause.noServices
        switch state {
        case .resolving(let device, _, _), .searchingEndpoints(let device, _):
            lastFailure = cause
            state = .releasing(device, nil)
            let final = foundNothingBefore
            foundNothingBefore = true
            if final { isWanted = false }
            return (final ? [.fail(cause)] : []) + [.cancel(.resolve), .disconnect(device), .linkDown]
        default: return []
        }
    }

    mutating func keepLinkElapsed() -> [Action] {
        guard case .ready(let device, let endpoints) = state, !isWanted, !keepsAlways else { return [] }
        state = .releasing(device, endpoints)
        return [.disconnect(device)]
    }

    /// `Connected: false`.
    mutating func linkLost(_ lostDevice: ObjectPath) -> [Action] {
        guard device == lostDevice else { return [] }
        if case .connecting = state { return [] }  // Connect's error follows
        return lost(cause: .outOfRange)
    }

    /// A write was answered "Not connected".
    mutating func writeFoundNoLink() -> [Action] {
        switch state {
        case .resolving(let device, _, let attempt):  // too early: wait for the services
            state = .resolving(device, kept: nil, attempt: attempt)
            return []
        case .ready(let device, _):  // dead, although Connected is still true (bluez.md, "Writing")
            state = .releasing(device, nil)
            return [.cancel(.keepLink), .disconnect(device), .linkDown]
        case .releasing(let device, _):
            state = .releasing(device, nil)
            return []
        default: return []
        }
    }

    private mutating func lost(cause: FailureCause) -> [Action] {
        let wasReleasing = if case .releasing = state { true } else { false }
        let undo = leave()
        if wasReleasing { return undo + ended() }
        if case .connecting(_, let attempt) = state {
            lastFailure = cause
            return undo + begin(nil, attempt: attempt + 1)
        }
        lastFailure = cause
        guard isWanted || keepsAlways else {
            state = .idle
            return undo
        }
        state = .backingOff(attempt: 1)
        return undo + [.schedule(.backOff(1))]
    }

    /// Disconnect is through.
    private mutating func ended() -> [Action] {
        guard isWanted || keepsAlways else {
            state = .idle
            return []
        }
        state = .backingOff(attempt: 1)
        return [.schedule(.backOff(1))]
    }

    /// Disconnect was answered: the link is down, or was never up.
    mutating func disconnected(_ released: ObjectPath) -> [Action] {
        guard case .releasing(released, _) = state else { return [] }
        return leave() + ended()
    }
}

/// What a failed Connect means for the next one.
enum ConnectFailure: Hashable, Sendable {
    case retry(FailureCause)
    /// The device object is gone: it must be heard again first.
    case vanished
    /// Trying again is of no use.
    case final(FailureCause)

    var cause: FailureCause {
        switch self {
        case .retry(let cause), .final(let cause): cause
        case .vanished: .outOfRange
        }
    }
}
