import DBus
import StripModel

/// The words of `LinkStateMachine`: where a link can stand, what is to be done about it, and which pauses it takes.
extension LinkStateMachine {
    enum State: Hashable, Sendable {
        /// No link, and none is wanted. Also where it starts.
        case idle
        /// A link is wanted and BlueZ has no such device: the radio listens until it is heard.
        case waitingForDevice
        /// Connect was called, or waits for its turn at the radio.
        case connecting(ObjectPath)
        /// Connect was answered; the services are not resolved yet. With `kept` endpoints, from an earlier link, writing
        /// begins at once.
        case resolving(ObjectPath, kept: Endpoints?)
        /// The services are resolved and nothing takes commands: objects are known to come late.
        case searchingEndpoints(ObjectPath)
        /// Frames go out. Subscribing to reports is part of this state, not one before it.
        case ready(ObjectPath, Endpoints)
        /// Disconnect was called; the link lasts some 2 s more. A wish is still written if the link takes it, and
        /// Connect waits for `Connected: false`.
        case releasing(ObjectPath, Endpoints?)
        /// An attempt failed or the link was lost; the next attempt comes after the pause of that number.
        case backingOff(attempt: Int)
        /// No adapter, adapter off, no Bluetooth service: nothing can be tried until that changes.
        case unavailable(FailureCause)
    }

    /// What the caller must do now, in the order in which it is listed.
    enum Action: Hashable, Sendable {
        /// Have the radio listen; the device is told by `deviceFound`.
        case scan
        /// The end of `scan`.
        case stopScanning
        /// Call Connect; answered by `connectSucceeded` or `connectFailed`.
        case connect(ObjectPath)
        /// Call Disconnect: it ends the link, or the Connect that is under way. Answered by `disconnected` if the device
        /// is not connected then, else by `linkLost`.
        case disconnect(ObjectPath)
        /// Make BlueZ keep the device, so that later links need no scan. Only works while connected.
        case trust(ObjectPath)
        /// Subscribe to what the strip reports.
        case startNotifications(ObjectPath)
        /// It has nothing to report by.
        case noReports
        /// Write what waits: `writableEndpoints` says where.
        case write
        /// Call the `elapsed` function of this timer after its time; replaces a running one.
        case schedule(LinkTimer)
        /// Stop the timer, if it runs.
        case cancel(LinkTimer)
        /// What waits cannot be had from this strip, whatever its deadline.
        case fail(FailureCause)
        /// There is a link: what was learnt about the former one no longer holds.
        case linkUp
        /// There is none any more, or it is being given back: nothing of the past is asked or repaired on it. May come
        /// twice for one link.
        case linkDown
    }

    /// How long each takes is the caller's affair (`Timing`).
    enum LinkTimer: Hashable, Sendable {
        /// The n-th pause in a row, counted from 1: `backOffElapsed`.
        case backOff(Int)
        /// Connect may never be answered: `connectElapsed`.
        case connect
        /// `ServicesResolved` may never come: `resolveElapsed`.
        case resolve
        /// From `ServicesResolved`, or the place to write to, to objects that come late: `resolveElapsed`.
        case lateObjects
        /// From the last wish to giving the link back: `keepLinkElapsed`.
        case keepLink
        /// The end of the link may never be told: `releaseElapsed`.
        case release
    }

    /// Where frames can be written now; `nil` if nowhere.
    var writableEndpoints: Endpoints? {
        switch state {
        case .ready(_, let endpoints): endpoints
        case .resolving(_, let kept): kept
        case .releasing(_, let endpoints): endpoints
        case .idle, .waitingForDevice, .connecting, .searchingEndpoints, .backingOff, .unavailable: nil
        }
    }

    /// The state in the API's words.
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
        case .connecting(let device), .resolving(let device, _), .searchingEndpoints(let device), .ready(let device, _),
            .releasing(let device, _):
            device
        case .idle, .waitingForDevice, .backingOff, .unavailable: nil
        }
    }
}

/// What a failed Connect means for the next one.
enum ConnectFailure: Hashable, Sendable {
    /// The next one may succeed.
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
