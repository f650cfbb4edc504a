import StripModel

@testable import StripCore

/// A link in each of its states, with a wish waiting where the state is on the way to a link.
extension LinkStateMachine {
    private static func after(_ steps: (inout LinkStateMachine) -> Void) -> LinkStateMachine {
        var machine = LinkStateMachine(keepsAlways: false, unavailable: nil)
        steps(&machine)
        return machine
    }

    static var idle: LinkStateMachine { after { _ in } }
    static var waiting: LinkStateMachine { after { _ = $0.want(device: nil) } }
    static var connecting: LinkStateMachine { after { _ = $0.want(device: desk) } }

    static func resolving(kept: Endpoints? = nil) -> LinkStateMachine {
        after {
            _ = $0.want(device: desk)
            _ = $0.connectSucceeded(desk, kept: kept, isResolved: false)
        }
    }

    static var searching: LinkStateMachine {
        var machine = resolving()
        _ = machine.resolved(desk, nil)
        return machine
    }

    static var ready: LinkStateMachine {
        var machine = resolving()
        _ = machine.resolved(desk, places)
        return machine
    }

    /// Ready, and nothing waits.
    static var resting: LinkStateMachine {
        var machine = ready
        _ = machine.wantNothing()
        return machine
    }

    /// The link was kept for long enough; it still takes frames.
    static var releasing: LinkStateMachine {
        var machine = resting
        _ = machine.keepLinkElapsed()
        return machine
    }

    static func backingOff(attempt: Int = 1) -> LinkStateMachine {
        var machine = connecting
        for number in 1...attempt {
            _ = machine.connectFailed(desk, .retry(.outOfRange))
            if number < attempt { _ = machine.backOffElapsed(device: desk) }
        }
        return machine
    }

    static var unavailable: LinkStateMachine { LinkStateMachine(keepsAlways: false, unavailable: .adapterOff) }

    static var all: [LinkStateMachine] {
        [
            idle, waiting, connecting, resolving(), resolving(kept: places), searching, ready, resting, releasing,
            backingOff(attempt: 1), backingOff(attempt: 2), unavailable,
        ]
    }
}
