import DBus
import StripModel
import Testing

@testable import StripCore

/// What `LinkStateMachine` does when the world does not play along.
@Suite struct LinkLossTests {
    @Test(
        "The link is lost, in a state",
        arguments: [
            (LinkStateMachine.connecting, []),  // Connect's error follows
            (.resolving(), [.cancel(.resolve), .linkDown, .schedule(.backOff(1))]),
            (.searching, [.cancel(.lateObjects), .linkDown, .schedule(.backOff(1))]),
            (.ready, [.cancel(.keepLink), .linkDown, .schedule(.backOff(1))]),
            (.resting, [.cancel(.keepLink), .linkDown]),  // no wish waits: it is not rebuilt
            (.releasing, [.cancel(.release), .linkDown]),
            (.idle, []), (.waiting, []), (.backingOff(), []), (.unavailable, []),
        ] as [(LinkStateMachine, [LinkStateMachine.Action])])
    func lost(machine: LinkStateMachine, actions: [LinkStateMachine.Action]) {
        var machine = machine
        #expect(machine.linkLost(desk) == actions)
    }

    @Test(
        "The device vanishes, in a state",
        arguments: [
            (LinkStateMachine.connecting, [.cancel(.connect), .scan]),  // bluez.md 3: it ends the pending call
            (.resolving(), [.cancel(.resolve), .linkDown, .schedule(.backOff(1))]),
            (.searching, [.cancel(.lateObjects), .linkDown, .schedule(.backOff(1))]),
            (.ready, [.cancel(.keepLink), .linkDown, .schedule(.backOff(1))]),
            (.resting, [.cancel(.keepLink), .linkDown]),
            (.releasing, [.cancel(.release), .linkDown]),
            (.idle, []), (.waiting, []), (.backingOff(), []), (.unavailable, []),
        ] as [(LinkStateMachine, [LinkStateMachine.Action])])
    func vanished(machine: LinkStateMachine, actions: [LinkStateMachine.Action]) {
        var machine = machine
        #expect(machine.deviceVanished(desk) == actions)
    }

    @Test(
        "users.md 43: the adapter or bluetoothd goes away, in a state",
        arguments: [
            (LinkStateMachine.idle, []),
            (.waiting, [.stopScanning]),
            (.connecting, [.cancel(.connect)]),
            (.resolving(), [.cancel(.resolve), .linkDown]),
            (.searching, [.cancel(.lateObjects), .linkDown]),
            (.ready, [.cancel(.keepLink), .linkDown]),
            (.releasing, [.cancel(.release), .linkDown]),
            (.backingOff(attempt: 2), [.cancel(.backOff(2))]),
            (.unavailable, []),
        ] as [(LinkStateMachine, [LinkStateMachine.Action])])
    func worldEnds(machine: LinkStateMachine, actions: [LinkStateMachine.Action]) {
        var machine = machine
        #expect(machine.worldChanged(unavailable: .noBluetoothService, device: nil) == actions)
        #expect(machine.state == .unavailable(.noBluetoothService))
        #expect(machine.lastFailure == .noBluetoothService)
        #expect(machine.connectFailed(desk, .retry(.noBluetoothService)) == [])
        #expect(machine.linkLost(desk) == [])
    }

    @Test func aWishThatWaitsGoesOnWhenTheAdapterIsBack() {
        var machine = LinkStateMachine.ready
        _ = machine.worldChanged(unavailable: .adapterOff, device: nil)
        #expect(machine.worldChanged(unavailable: nil, device: desk) == [.connect(desk), .schedule(.connect)])
        #expect(machine.lastFailure == nil)
    }

    @Test("users.md 97: with nothing to write, an adapter that comes back brings no link")
    func nothingToDo() {
        var machine = LinkStateMachine.resting
        _ = machine.worldChanged(unavailable: .adapterOff, device: nil)
        #expect(machine.worldChanged(unavailable: nil, device: desk) == [])
        #expect(machine.state == .idle)
    }

    @Test func aWishMadeWhileThereIsNoAdapterGoesOnWhenThereIsOne() {
        var machine = LinkStateMachine.unavailable
        #expect(machine.want(device: nil) == [])
        #expect(machine.worldChanged(unavailable: nil, device: nil) == [.scan])
    }

    // MARK: Trying again

    @Test("users.md 30: Connect fails twice and then succeeds")
    func retried() {
        var machine = LinkStateMachine.connecting
        #expect(machine.linkLost(desk) == [])  // Connected true and false again, then the error
        #expect(machine.connectFailed(desk, .retry(.outOfRange)) == [.cancel(.connect), .schedule(.backOff(1))])
        #expect(machine.backOffElapsed(device: desk) == [.connect(desk), .schedule(.connect)])
        #expect(machine.connectFailed(desk, .retry(.outOfRange)) == [.cancel(.connect), .schedule(.backOff(2))])
        #expect(machine.backOffElapsed(device: desk) == [.connect(desk), .schedule(.connect)])
        #expect(machine.lastFailure == .outOfRange)
        _ = machine.connectSucceeded(desk, kept: nil, isResolved: false)
        #expect(machine.lastFailure == nil)
    }

    @Test func aDeviceThatWasRemovedIsHeardAgainFirst() {
        var machine = LinkStateMachine.connecting
        #expect(machine.connectFailed(desk, .vanished) == [.cancel(.connect), .scan])
        #expect(machine.connectFailed(desk, .vanished) == [])
        var late = LinkStateMachine.backingOff()
        #expect(late.backOffElapsed(device: nil) == [.scan])
    }

    @Test func whatCannotSucceedIsNotTriedAgain() {
        var machine = LinkStateMachine.connecting
        #expect(machine.connectFailed(desk, .final(.notAllowed)) == [.cancel(.connect), .fail(.notAllowed)])
        #expect(machine.state == .idle)
    }

    @Test("users.md 38: a link that is lost again and again before it is ready is tried for less and less often")
    func counted() {
        var machine = LinkStateMachine.connecting
        for attempt in 1...4 {
            _ = machine.connectSucceeded(desk, kept: nil, isResolved: false)
            #expect(machine.linkLost(desk) == [.cancel(.resolve), .linkDown, .schedule(.backOff(attempt))])
            _ = machine.backOffElapsed(device: desk)
        }
        _ = machine.connectSucceeded(desk, kept: places, isResolved: true)
        #expect(machine.linkLost(desk) == [.cancel(.keepLink), .linkDown, .schedule(.backOff(1))])
    }

    @Test func aPauseIsCutShortWhenTheStripIsHeard() {
        var machine = LinkStateMachine.backingOff(attempt: 2)
        #expect(machine.advertised(desk) == [.cancel(.backOff(2)), .connect(desk), .schedule(.connect)])
        var first = LinkStateMachine.backingOff(attempt: 1)
        #expect(first.advertised(desk) == [])
    }

    @Test("bluez.md 3: a Connect that is never answered is cancelled and made again")
    func unanswered() {
        var machine = LinkStateMachine.connecting
        #expect(machine.connectElapsed() == [.cancel(.connect), .disconnect(desk), .schedule(.release)])
        #expect(
            machine.connectFailed(desk, .retry(.outOfRange)) == [.cancel(.release), .linkDown, .schedule(.backOff(1))])
    }

    @Test func aDisconnectWithoutEffectDoesNotStopTheNextLink() {
        var machine = LinkStateMachine.releasing
        _ = machine.writeFoundNoLink()
        _ = machine.want(device: desk)
        #expect(machine.releaseElapsed() == [.cancel(.release), .linkDown, .schedule(.backOff(1))])
    }

    @Test("users.md 56: a link that is dead although Connected is true is made anew, and the wish written again")
    func dead() {
        var machine = LinkStateMachine.ready
        #expect(
            machine.writeFoundNoLink() == [.cancel(.keepLink), .linkDown, .disconnect(desk), .schedule(.release)])
        #expect(machine.linkLost(desk) == [.cancel(.release), .linkDown, .schedule(.backOff(1))])
    }

    @Test func answersOfAnotherDeviceAreIgnored() {
        let other: ObjectPath = "/org/bluez/hci1/dev_FF_FF_38_5B_40_65"
        for var machine in LinkStateMachine.all {
            let before = machine.state
            #expect(machine.linkLost(other) == [])
            #expect(machine.deviceVanished(other) == [])
            #expect(machine.connectFailed(other, .vanished) == [])
            #expect(machine.disconnected(other) == [])
            #expect(machine.resolved(other, places) == [])
            #expect(machine.state == before)
        }
    }

    // MARK: Services

    @Test("users.md 47: the objects come after ServicesResolved")
    func lateObjects() {
        var machine = LinkStateMachine.resolving()
        #expect(machine.resolved(desk, nil) == [.cancel(.resolve), .schedule(.lateObjects)])
        #expect(machine.resolved(desk, nil) == [])
        #expect(machine.resolved(desk, deafPlaces) == [.cancel(.lateObjects), .write, .schedule(.lateObjects)])
        #expect(machine.resolved(desk, places) == [.cancel(.lateObjects), .startNotifications(report)])
        #expect(machine.resolved(desk, places) == [])
        #expect(machine.resolveElapsed() == [])
    }

    @Test("A strip is without reports only once nothing that reports came for a while")
    func noReports() {
        var machine = LinkStateMachine.resolving()
        #expect(machine.resolved(desk, deafPlaces) == [.cancel(.resolve), .write, .schedule(.lateObjects)])
        #expect(machine.resolveElapsed() == [.noReports])
        #expect(machine.linkLost(desk).contains(.cancel(.lateObjects)))
    }

    @Test("users.md 46, 48: without services there is one more try, and then an error that says so")
    func noServices() {
        var machine = LinkStateMachine.searching
        #expect(
            machine.resolveElapsed() == [.cancel(.lateObjects), .linkDown, .disconnect(desk), .schedule(.release)])
        _ = machine.linkLost(desk)
        _ = machine.backOffElapsed(device: desk)
        _ = machine.connectSucceeded(desk, kept: nil, isResolved: false)
        #expect(
            machine.resolveElapsed()
                == [.cancel(.resolve), .linkDown, .disconnect(desk), .schedule(.release), .fail(.noServices)])
        #expect(machine.lastFailure == .noServices)
        #expect(machine.linkLost(desk) == [.cancel(.release), .linkDown])
        #expect(machine.state == .idle)
    }

    @Test("users.md 50: what was not found once is not remembered")
    func foundLater() {
        var machine = LinkStateMachine.searching
        for _ in 1...2 {
            _ = machine.resolveElapsed()
            _ = machine.linkLost(desk)
            _ = machine.want(device: desk)
            _ = machine.backOffElapsed(device: desk)
            _ = machine.connectSucceeded(desk, kept: nil, isResolved: false)
        }
        #expect(machine.resolved(desk, nil) == [.cancel(.resolve), .schedule(.lateObjects)])
        #expect(
            machine.resolveElapsed() == [.cancel(.lateObjects), .linkDown, .disconnect(desk), .schedule(.release)])
    }

    // MARK: keep-link always

    private var kept: LinkStateMachine {
        var machine = LinkStateMachine(keepsAlways: true, unavailable: nil)
        _ = machine.want(device: desk)
        _ = machine.connectSucceeded(desk, kept: places, isResolved: true)
        _ = machine.wantNothing()
        return machine
    }

    @Test func aLinkThatIsAlwaysKeptIsRebuilt() {
        var machine = kept
        #expect(machine.keepLinkElapsed() == [])
        #expect(machine.linkLost(desk) == [.cancel(.keepLink), .linkDown, .schedule(.backOff(1))])
        #expect(machine.wantNothing() == [])
        #expect(machine.backOffElapsed(device: nil) == [.scan])
        #expect(machine.wantNothing() == [])
        #expect(machine.deviceFound(desk) == [.stopScanning, .connect(desk), .schedule(.connect)])
    }

    @Test func aLinkThatIsAlwaysKeptComesWithTheAdapter() {
        var machine = LinkStateMachine(keepsAlways: true, unavailable: .adapterOff)
        #expect(machine.worldChanged(unavailable: nil, device: nil) == [.scan])
    }

    @Test("users.md 40: after release even a link that is always kept waits for the next wish")
    func keptAndReleased() {
        var machine = kept
        #expect(machine.release() == [.cancel(.keepLink), .linkDown, .disconnect(desk), .schedule(.release)])
        #expect(machine.linkLost(desk) == [.cancel(.release), .linkDown])
        #expect(machine.worldChanged(unavailable: .adapterOff, device: nil) == [])
        #expect(machine.worldChanged(unavailable: nil, device: desk) == [])
        #expect(machine.want(device: desk) == [.connect(desk), .schedule(.connect)])
        _ = machine.connectSucceeded(desk, kept: places, isResolved: true)
        #expect(machine.wantNothing() == [])
        #expect(machine.linkLost(desk) == [.cancel(.keepLink), .linkDown, .schedule(.backOff(1))])
    }

    @Test func aWishDoesNotSitOutThePauseOfAKeptLink() {
        var machine = kept
        _ = machine.linkLost(desk)
        #expect(machine.want(device: desk) == [.cancel(.backOff(1)), .connect(desk), .schedule(.connect)])
    }
}
