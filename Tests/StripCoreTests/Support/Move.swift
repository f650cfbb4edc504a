import Seeds
import StripModel
import Triones

@testable import StripCore

/// What may happen next in a `Rehearsal`.
enum Move: CaseIterable {
    case askOn, askOff, askColor, askColorKeepingPower, askBoth
    case release
    case timePasses, momentPasses
    case stripIsHeard, deviceVanishes, connectSucceeds, connectFails, servicesResolve, noServices, linkIsLost
    case disconnectIsDone, adapterGoes, adapterComes
    case frameArrives, writeIsAnswered, writeFails, writeFindsNoLink
    case notificationsStart, notificationsAreRefused, reportComes, reportIsLost

    /// How often it is chosen among those that can happen.
    var weight: Int {
        switch self {
        case .askColor: 4
        case .askOn, .askOff, .askColorKeepingPower, .askBoth: 2
        case .frameArrives, .writeIsAnswered: 8
        case .connectSucceeds, .servicesResolve, .stripIsHeard, .notificationsStart, .reportComes: 6
        case .timePasses, .momentPasses, .disconnectIsDone, .adapterComes: 3
        case .linkIsLost, .writeFails, .writeFindsNoLink, .connectFails, .deviceVanishes, .reportIsLost, .release,
            .adapterGoes, .noServices, .notificationsAreRefused:
            1
        }
    }

    /// Those by which everything comes to its end, the first that can happen first.
    static let calming: [Move] = [
        .adapterComes, .frameArrives, .writeIsAnswered, .writeFails, .disconnectIsDone, .servicesResolve,
        .notificationsStart, .reportComes, .connectSucceeds, .stripIsHeard, .timePasses,
    ]

    func canHappen(in rehearsal: Rehearsal) -> Bool {
        switch self {
        case .askOn, .askOff, .askColor, .askColorKeepingPower, .askBoth, .release, .momentPasses: true
        case .timePasses: rehearsal.nextClock != nil
        case .stripIsHeard: rehearsal.isAdapterOn && (rehearsal.isScanning || !rehearsal.isDeviceKnown)
        case .deviceVanishes: rehearsal.isDeviceKnown && !rehearsal.isConnected
        case .connectSucceeds:
            rehearsal.openConnects > 0 && rehearsal.isAdapterOn && rehearsal.isDeviceKnown
                && !rehearsal.isDisconnecting
        case .connectFails: rehearsal.openConnects > 0 && !rehearsal.isConnected
        case .servicesResolve: rehearsal.isConnected && !(rehearsal.isResolved && rehearsal.hasObjects)
        case .noServices: rehearsal.isConnected && !rehearsal.isResolved && !rehearsal.hasObjects
        case .linkIsLost: rehearsal.isConnected
        case .disconnectIsDone: rehearsal.isDisconnecting
        case .adapterGoes: rehearsal.isAdapterOn
        case .adapterComes: !rehearsal.isAdapterOn
        case .frameArrives: rehearsal.outstanding?.hasArrived == false && rehearsal.isConnected
        case .writeIsAnswered: rehearsal.outstanding?.hasArrived == true && rehearsal.isConnected
        case .writeFails: rehearsal.outstanding != nil && !rehearsal.isConnected
        case .writeFindsNoLink: rehearsal.outstanding != nil
        case .notificationsStart, .notificationsAreRefused:
            rehearsal.notifications == .starting && rehearsal.isConnected
        case .reportComes, .reportIsLost: !rehearsal.reports.isEmpty && rehearsal.notifications == .on
        }
    }
}

extension Rehearsal {
    mutating func happen(_ move: Move, using generator: inout SeededGenerator) {
        let color = Command.color(red: UInt8.random(in: 10...255, using: &generator), green: 0, blue: 0)
        switch move {
        case .askOn: ask(Asked(power: .on, light: nil, impliesOn: false))
        case .askOff: ask(Asked(power: .off, light: nil, impliesOn: false))
        case .askColor: ask(Asked(power: nil, light: color, impliesOn: true))
        case .askColorKeepingPower: ask(Asked(power: nil, light: color, impliesOn: false))
        case .askBoth: ask(Asked(power: Bool.random(using: &generator) ? .on : .off, light: color, impliesOn: false))
        case .release: release()
        case .timePasses: passTime()
        case .momentPasses:
            let later = now + .milliseconds(Int.random(in: 1...60, using: &generator))
            now = min(later, max(now, nextClock?.at ?? later))
        case .stripIsHeard:
            isDeviceKnown = true
            perform(link.deviceFound(desk))
            perform(link.advertised(desk))
        case .deviceVanishes:
            (isDeviceKnown, hasObjects) = (false, false)
            perform(link.deviceVanished(desk))
        case .connectSucceeds:
            openConnects -= 1
            isConnected = true
            perform(link.connectSucceeded(desk, kept: hasObjects ? places : nil, isResolved: isResolved))
        case .connectFails:
            openConnects -= 1
            perform(link.connectFailed(desk, isDeviceKnown ? .retry(.outOfRange) : .vanished))
        case .servicesResolve:
            (isResolved, hasObjects) = (true, true)
            perform(link.resolved(desk, places))
        case .noServices:
            isResolved = true
            perform(link.resolved(desk, nil))
        case .linkIsLost:
            dropLink()
            perform(link.linkLost(desk))
        case .disconnectIsDone:
            isDisconnecting = false
            let wasConnected = isConnected
            dropLink()
            perform(wasConnected ? link.linkLost(desk) : link.disconnected(desk))
        case .adapterGoes:
            isAdapterOn = false
            if isConnected {
                dropLink()
                perform(link.linkLost(desk))
            }
            perform(link.worldChanged(unavailable: .adapterOff, device: nil))
        case .adapterComes:
            isAdapterOn = true
            perform(link.worldChanged(unavailable: nil, device: isDeviceKnown ? desk : nil))
        case .frameArrives:
            outstanding?.hasArrived = true
            guard let command = outstanding?.write.command, let report = strip.obey(command) else { return }
            reports.append(report)
        case .writeIsAnswered: wrote()
        case .writeFails: writeFailed(saysNotConnected: false)
        case .writeFindsNoLink: writeFailed(saysNotConnected: true)
        case .notificationsStart:
            notifications = .on
            pump()
        case .notificationsAreRefused:
            notifications = .refused
            perform(readBack.noReports())
            pump()
        case .reportComes: received(reports.removeFirst())
        case .reportIsLost: reports.removeFirst()
        }
    }

    private mutating func dropLink() {
        (isConnected, isResolved, reports) = (false, false, [])
    }
}
