import StripModel
import Testing

@testable import StripCore

/// The straight way, and what wishes and their absence do in each state.
@Suite struct LinkStateMachineTests {
    @Test func theFirstLinkScansConnectsResolvesAndWritesBeforeItSubscribes() {
        var machine = LinkStateMachine.idle
        #expect(machine.want(device: nil) == [.scan])
        #expect(machine.phase == .waiting)
        #expect(machine.deviceFound(desk) == [.stopScanning, .connect(desk), .schedule(.connect)])
        #expect(machine.phase == .connecting)
        #expect(
            machine.connectSucceeded(desk, kept: nil, isResolved: false)
                == [.cancel(.connect), .linkUp, .schedule(.resolve), .trust(desk)])
        #expect(machine.phase == .resolving)
        #expect(machine.writableEndpoints == nil)
        #expect(machine.resolved(desk, places) == [.cancel(.resolve), .write, .startNotifications(report)])
        #expect(machine.phase == .ready)
        #expect(machine.writableEndpoints == places)
        #expect(machine.wantNothing() == [.schedule(.keepLink)])
        #expect(machine.keepLinkElapsed() == [.disconnect(desk), .schedule(.release)])
        #expect(machine.phase == .releasing)
        #expect(machine.linkLost(desk) == [.cancel(.release), .linkDown])
        #expect(machine.phase == .idle)
    }

    @Test func aKnownDeviceNeedsNoScan() {
        var machine = LinkStateMachine.idle
        #expect(machine.want(device: desk) == [.connect(desk), .schedule(.connect)])
    }

    @Test func onAReconnectTheKeptObjectsAreWrittenToAtOnce() {
        var machine = LinkStateMachine.connecting
        #expect(
            machine.connectSucceeded(desk, kept: places, isResolved: false)
                == [.cancel(.connect), .linkUp, .schedule(.resolve), .trust(desk), .write])
        #expect(machine.writableEndpoints == places)
    }

    @Test func aLinkThatIsResolvedAlreadyIsReadyAtOnce() {
        var machine = LinkStateMachine.connecting
        #expect(
            machine.connectSucceeded(desk, kept: places, isResolved: true)
                == [
                    .cancel(.connect), .linkUp, .schedule(.resolve), .trust(desk), .cancel(.resolve), .write,
                    .startNotifications(report),
                ])
    }

    @Test("An early write that found no link goes out again once the services are resolved")
    func tooEarly() {
        var machine = LinkStateMachine.resolving(kept: places)
        #expect(machine.writeFoundNoLink() == [])
        #expect(machine.writableEndpoints == nil)
        #expect(machine.resolved(desk, places) == [.cancel(.resolve), .write, .startNotifications(report)])
    }

    @Test func aStripThatReportsNothingIsReadyWithoutASubscription() {
        var machine = LinkStateMachine.resolving()
        #expect(machine.resolved(desk, deafPlaces) == [.cancel(.resolve), .write, .schedule(.lateObjects)])
    }

    // MARK: A wish in each state

    @Test(
        "A wish in a state",
        arguments: [
            (LinkStateMachine.idle, [.connect(desk), .schedule(.connect)]),
            (.waiting, [.stopScanning, .connect(desk), .schedule(.connect)]),
            (.connecting, []),
            (.resolving(), []),
            (.resolving(kept: places), [.write]),
            (.searching, []),
            (.ready, [.cancel(.keepLink), .write]),
            (.resting, [.cancel(.keepLink), .write]),
            (.releasing, [.write]),
            (.backingOff(), []),
            (.unavailable, []),
        ] as [(LinkStateMachine, [LinkStateMachine.Action])])
    func wish(machine: LinkStateMachine, actions: [LinkStateMachine.Action]) {
        var machine = machine
        #expect(machine.want(device: desk) == actions)
    }

    @Test func aWishWhileReleasingIsWrittenAndNeedsNoNewLink() {
        var machine = LinkStateMachine.releasing
        #expect(machine.want(device: desk) == [.write])
        #expect(machine.writableEndpoints == places)
        #expect(machine.wantNothing() == [])
        #expect(machine.linkLost(desk) == [.cancel(.release), .linkDown])
        #expect(machine.phase == .idle)
    }

    @Test func aWishThatTheEndingLinkRefusesWaitsForTheNext() {
        var machine = LinkStateMachine.releasing
        #expect(machine.want(device: desk) == [.write])
        #expect(machine.writeFoundNoLink() == [])
        #expect(machine.writableEndpoints == nil)
        #expect(machine.want(device: desk) == [])
        #expect(machine.disconnected(desk) == [.cancel(.release), .linkDown, .schedule(.backOff(1))])
        #expect(machine.backOffElapsed(device: desk) == [.connect(desk), .schedule(.connect)])
    }

    @Test func aConnectThatIsAnsweredWhileReleasingIsVoid() {
        var machine = LinkStateMachine.connecting
        #expect(machine.wantNothing() == [.cancel(.connect), .disconnect(desk), .schedule(.release)])
        #expect(machine.want(device: desk) == [])
        #expect(machine.connectSucceeded(desk, kept: places, isResolved: true) == [])
        #expect(machine.phase == .releasing)
        #expect(machine.linkLost(desk) == [.cancel(.release), .linkDown, .schedule(.backOff(1))])
    }

    @Test func aConnectThatIsAnsweredWhenNobodyWantsItIsUndone() {
        var machine = LinkStateMachine.connecting
        _ = machine.wantNothing()
        #expect(machine.disconnected(desk) == [.cancel(.release), .linkDown])
        #expect(
            machine.connectSucceeded(desk, kept: nil, isResolved: false) == [.disconnect(desk), .schedule(.release)])
    }

    @Test func aConnectThatIsAnsweredLateIsUsedIfALinkIsWanted() {
        var machine = LinkStateMachine.backingOff(attempt: 3)
        #expect(
            machine.connectSucceeded(desk, kept: nil, isResolved: false)
                == [.cancel(.backOff(3)), .linkUp, .schedule(.resolve), .trust(desk)])
    }

    // MARK: Nothing waits

    @Test(
        "Nothing waits any more, in a state",
        arguments: [
            (LinkStateMachine.idle, [], LinkPhase.idle),
            (.waiting, [.stopScanning], .idle),
            (.connecting, [.cancel(.connect), .disconnect(desk), .schedule(.release)], .releasing),
            (.resolving(), [], .resolving),
            (.searching, [], .resolving),
            (.ready, [.schedule(.keepLink)], .ready),
            (.resting, [], .ready),
            (.releasing, [], .releasing),
            (.backingOff(attempt: 2), [.cancel(.backOff(2))], .idle),
            (.unavailable, [], .unavailable),
        ] as [(LinkStateMachine, [LinkStateMachine.Action], LinkPhase)])
    func nothing(machine: LinkStateMachine, actions: [LinkStateMachine.Action], phase: LinkPhase) {
        var machine = machine
        #expect(machine.wantNothing() == actions)
        #expect(machine.phase == phase)
    }

    @Test func aLinkThatNobodyWantsAnyMoreIsFinishedAndKeptForAWhile() {
        var machine = LinkStateMachine.resolving()
        #expect(machine.wantNothing() == [])
        #expect(
            machine.resolved(desk, places)
                == [.cancel(.resolve), .write, .startNotifications(report), .schedule(.keepLink)])
    }

    @Test func aLinkThatIsInUseIsNotGivenBack() {
        var machine = LinkStateMachine.ready
        #expect(machine.keepLinkElapsed() == [])
    }

    // MARK: Release

    @Test(
        "users.md 40: release, in a state",
        arguments: [
            (LinkStateMachine.idle, [], LinkPhase.idle),
            (.waiting, [.stopScanning], .idle),
            (.connecting, [.cancel(.connect), .disconnect(desk), .schedule(.release)], .releasing),
            (.resolving(), [.cancel(.resolve), .linkDown, .disconnect(desk), .schedule(.release)], .releasing),
            (.searching, [.cancel(.lateObjects), .linkDown, .disconnect(desk), .schedule(.release)], .releasing),
            (.ready, [.cancel(.keepLink), .linkDown, .disconnect(desk), .schedule(.release)], .releasing),
            (.releasing, [.linkDown], .releasing),
            (.backingOff(attempt: 2), [.cancel(.backOff(2))], .idle),
            (.unavailable, [], .unavailable),
        ] as [(LinkStateMachine, [LinkStateMachine.Action], LinkPhase)])
    func release(machine: LinkStateMachine, actions: [LinkStateMachine.Action], phase: LinkPhase) {
        var machine = machine
        #expect(machine.release() == actions)
        #expect(machine.phase == phase)
        _ = machine.linkLost(desk)
        _ = machine.worldChanged(unavailable: nil, device: desk)
        #expect(machine.phase == .idle)
    }

    @Test func aWishAfterReleaseIsWrittenOnTheEndingLink() {
        var machine = LinkStateMachine.ready
        _ = machine.release()
        #expect(machine.want(device: desk) == [.write])
    }
}
