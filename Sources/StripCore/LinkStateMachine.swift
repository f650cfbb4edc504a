import DBus
import StripModel

/// Decides what to do about the link to one strip. Pure: facts go in, actions come out, and it knows no clock.
///
/// The straight way is idle, waitingForDevice, connecting, resolving, ready, releasing, idle; a strip that BlueZ knows
/// needs no waitingForDevice. Every state can be left by a lost link, a vanished device or an adapter that is switched off.
struct LinkStateMachine: Sendable {
    private(set) var state: State
    /// Why the last attempt failed; `nil` after a success.
    private(set) var lastFailure: FailureCause?
    /// Something waits to be written or asked.
    private var isWanted = false
    /// There is to be a link whether or not something waits: under `keep-link always`, but for the time from a release to
    /// the next wish.
    private var isHeld: Bool
    private let keepsAlways: Bool
    /// Attempts in a row that did not get as far as `ready`.
    private var failures = 0
    /// Such an attempt found no characteristic to write to: when the next one does not either, that is final.
    private var foundNothingBefore = false

    init(keepsAlways: Bool, unavailable: FailureCause?) {
        self.keepsAlways = keepsAlways
        isHeld = keepsAlways
        state = unavailable.map { .unavailable($0) } ?? .idle
    }

    private var isNeeded: Bool { isWanted || isHeld }

    // MARK: What is wanted

    /// Something waits to be written or asked.
    ///
    /// - Parameter device: the device object, if BlueZ has one.
    mutating func want(device: ObjectPath?) -> [Action] {
        let isFirst = !isWanted
        isWanted = true
        isHeld = keepsAlways
        switch state {
        case .idle: return begin(device)
        case .waitingForDevice: return device.map { deviceFound($0) } ?? []
        case .backingOff where isFirst: return leave() + begin(device)  // nobody waited so far: no reason to pause
        case .ready: return [.cancel(.keepLink), .write]
        case .resolving, .releasing: return writableEndpoints == nil ? [] : [.write]
        case .connecting, .searchingEndpoints, .backingOff, .unavailable: return []
        }
    }

    /// Nothing waits any more: it was all done, or given up.
    mutating func wantNothing() -> [Action] {
        let wasWanted = isWanted
        isWanted = false
        guard !isHeld else { return [] }
        switch state {
        case .ready where wasWanted: return [.schedule(.keepLink)]
        case .waitingForDevice, .backingOff: return leave() + rest()
        case .connecting(let device): return leave() + giveBack(device, nil)
        case .idle, .resolving, .searchingEndpoints, .ready, .releasing, .unavailable: return []
        }
    }

    /// The link is to be given back at once, and not rebuilt before the next wish.
    mutating func release() -> [Action] {
        isWanted = false
        isHeld = false
        switch state {
        case .waitingForDevice, .backingOff: return leave() + rest()
        case .connecting(let device), .resolving(let device, _), .searchingEndpoints(let device), .ready(let device, _):
            return leave() + giveBack(device, writableEndpoints)
        case .releasing: return [.linkDown]
        case .idle, .unavailable: return []
        }
    }

    // MARK: The world

    /// The adapter or the Bluetooth service went away or came back.
    ///
    /// - Parameter cause: `nil` when links can be made.
    mutating func worldChanged(unavailable cause: FailureCause?, device: ObjectPath?) -> [Action] {
        if let cause {
            let undo = leave()
            (state, lastFailure, failures) = (.unavailable(cause), cause, 0)
            return undo
        }
        guard case .unavailable = state else { return [] }
        lastFailure = nil
        return isNeeded ? begin(device) : rest()
    }

    // MARK: Connecting

    /// BlueZ has an object for the strip now.
    mutating func deviceFound(_ device: ObjectPath) -> [Action] {
        guard case .waitingForDevice = state else { return [] }
        return leave() + begin(device)
    }

    /// It was heard just now: a pause is cut short, but for the first, which is short anyway.
    mutating func advertised(_ device: ObjectPath) -> [Action] {
        guard case .backingOff(let attempt) = state, attempt > 1 else { return deviceFound(device) }
        return leave() + begin(device)
    }

    /// Connect was answered and the device is connected.
    mutating func connectSucceeded(_ connected: ObjectPath, kept: Endpoints?, isResolved: Bool) -> [Action] {
        switch state {
        case .connecting(connected), .waitingForDevice, .backingOff:
            let undo = leave()
            lastFailure = nil
            state = .resolving(connected, kept: kept)
            let up = undo + [.linkUp, .schedule(.resolve), .trust(connected)]
            if isResolved { return up + resolved(connected, kept) }
            return kept == nil ? up : up + [.write]
        case .idle: return giveBack(connected, nil)  // too late: nobody wants it any more
        case .connecting, .resolving, .searchingEndpoints, .ready, .unavailable: return []
        case .releasing: return []  // void: this link is about to end
        }
    }

    /// Connect failed.
    mutating func connectFailed(_ failed: ObjectPath, _ failure: ConnectFailure) -> [Action] {
        switch state {
        case .releasing(failed, _): return leave() + ended()
        case .connecting(failed):
            let undo = leave()
            lastFailure = failure.cause
            failures += 1
            switch failure {
            case .final(let cause):
                isWanted = false
                return undo + rest() + [.fail(cause)]
            case .vanished: return undo + begin(nil)
            case .retry: return undo + pause()
            }
        default: return []  // an older one's answer
        }
    }

    /// Connect was not answered at all.
    mutating func connectElapsed() -> [Action] {
        guard case .connecting(let device) = state else { return [] }
        lastFailure = .outOfRange
        failures += 1
        return leave() + giveBack(device, nil)
    }

    /// - Parameter device: the device object, if BlueZ has one.
    mutating func backOffElapsed(device: ObjectPath?) -> [Action] {
        guard case .backingOff = state else { return [] }
        return begin(device)
    }

    // MARK: Using it

    /// `ServicesResolved` is true, or objects came late. `endpoints` is `nil` when nothing takes commands.
    mutating func resolved(_ device: ObjectPath, _ endpoints: Endpoints?) -> [Action] {
        switch (state, endpoints) {
        case (.resolving(device, _), nil):
            state = .searchingEndpoints(device)
            return [.cancel(.resolve), .schedule(.lateObjects)]
        case (.resolving(device, _), let endpoints?):
            return [.cancel(.resolve)] + use(endpoints, of: device)
        case (.searchingEndpoints(device), let endpoints?):
            return [.cancel(.lateObjects)] + use(endpoints, of: device)
        case (.ready(device, let former), let endpoints?) where endpoints != former:  // the reports came late
            state = .ready(device, endpoints)
            guard let report = endpoints.report else { return [] }
            return (former.report == nil ? [.cancel(.lateObjects)] : []) + [.startNotifications(report)]
        default: return []
        }
    }

    private mutating func use(_ endpoints: Endpoints, of device: ObjectPath) -> [Action] {
        (state, failures, foundNothingBefore) = (.ready(device, endpoints), 0, false)
        let subscribe: [Action] = endpoints.report.map { [.startNotifications($0)] } ?? [.schedule(.lateObjects)]
        return [.write] + subscribe + (isNeeded ? [] : [.schedule(.keepLink)])
    }

    /// The services stayed unresolved, or no characteristic to write to came, or none that reports.
    mutating func resolveElapsed() -> [Action] {
        switch state {
        case .resolving(let device, _), .searchingEndpoints(let device):
            lastFailure = .noServices
            failures += 1
            let isFinal = foundNothingBefore
            foundNothingBefore = !isFinal
            if isFinal { isWanted = false }
            return leave() + giveBack(device, nil) + (isFinal ? [.fail(.noServices)] : [])
        case .ready(_, let endpoints) where endpoints.report == nil: return [.noReports]
        default: return []
        }
    }

    /// A write was answered "Not connected".
    mutating func writeFoundNoLink() -> [Action] {
        switch state {
        case .resolving(let device, _):  // too early: it is written once the services are resolved
            state = .resolving(device, kept: nil)
            return []
        case .ready(let device, _):  // dead, although Connected is still true (bluez.md, "Writing")
            return leave() + giveBack(device, nil)
        case .releasing(let device, _):  // it takes nothing any more
            state = .releasing(device, nil)
            return []
        default: return []
        }
    }

    // MARK: Its end

    /// `Connected: false`.
    mutating func linkLost(_ lost: ObjectPath) -> [Action] {
        guard device == lost else { return [] }
        switch state {
        case .connecting: return []  // part of a failing Connect, whose answer follows
        case .releasing: return leave() + ended()
        default: return linkEnded()
        }
    }

    /// The device object was removed, and with it every call on it.
    mutating func deviceVanished(_ gone: ObjectPath) -> [Action] {
        guard device == gone else { return [] }
        switch state {
        case .connecting: return connectFailed(gone, .vanished)
        case .releasing: return leave() + ended()
        default: return linkEnded()
        }
    }

    private mutating func linkEnded() -> [Action] {
        if case .ready = state {} else { failures += 1 }
        lastFailure = .outOfRange
        return leave() + ended()
    }

    /// Nobody used the link for long enough.
    mutating func keepLinkElapsed() -> [Action] {
        guard case .ready(let device, let endpoints) = state, !isNeeded else { return [] }
        return giveBack(device, endpoints)
    }

    /// Disconnect was answered, and the device is not connected.
    mutating func disconnected(_ released: ObjectPath) -> [Action] {
        guard case .releasing(released, _) = state else { return [] }
        return leave() + ended()
    }

    /// Disconnect had no effect that was told. If a link is still there, the next Connect finds it.
    mutating func releaseElapsed() -> [Action] {
        guard case .releasing = state else { return [] }
        return leave() + ended()
    }

    // MARK: Steps

    /// Undoes what the present state has going on.
    private func leave() -> [Action] {
        switch state {
        case .waitingForDevice: [.stopScanning]
        case .connecting: [.cancel(.connect)]
        case .resolving: [.cancel(.resolve), .linkDown]
        case .searchingEndpoints: [.cancel(.lateObjects), .linkDown]
        case .ready(_, let endpoints):
            (endpoints.report == nil ? [.cancel(.lateObjects)] : []) + [.cancel(.keepLink), .linkDown]
        case .releasing: [.cancel(.release), .linkDown]
        case .backingOff(let attempt): [.cancel(.backOff(attempt))]
        case .idle, .unavailable: []
        }
    }

    private mutating func begin(_ device: ObjectPath?) -> [Action] {
        guard let device else {
            state = .waitingForDevice
            return [.scan]
        }
        state = .connecting(device)
        return [.connect(device), .schedule(.connect)]
    }

    private mutating func giveBack(_ device: ObjectPath, _ endpoints: Endpoints?) -> [Action] {
        state = .releasing(device, endpoints)
        return [.disconnect(device), .schedule(.release)]
    }

    private mutating func ended() -> [Action] { isNeeded ? pause() : rest() }

    private mutating func pause() -> [Action] {
        let attempt = max(failures, 1)
        state = .backingOff(attempt: attempt)
        return [.schedule(.backOff(attempt))]
    }

    private mutating func rest() -> [Action] {
        (state, failures, foundNothingBefore) = (.idle, 0, false)
        return []
    }
}
