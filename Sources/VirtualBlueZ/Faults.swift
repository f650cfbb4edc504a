public import DBus

/// How a strip turns a link down.
public enum ConnectRefusal: Sendable, Hashable {
    /// It does not answer the connect (0x3E).
    case noAnswer
    /// It ends the link at once (0x13).
    case terminated

    var error: BusError { self == .noAnswer ? .abortedByLocal : .canceled }
}

/// What tests and demonstrations may do to strips. A strip is named by its index in the `World`.
extension VirtualBlueZ {
    // MARK: Its radio

    /// The strip ends its link.
    public func drop(_ strip: Int) { linkDies(of: strip, after: timing.drop) }

    /// The strip loses power: no radio any more until `powerRestored`. The host notices after the supervision time-out.
    public func powerCut(_ strip: Int) {
        strips[strip].faults.powerCut = true
        linkDies(of: strip, after: timing.supervision)
    }

    public func powerRestored(_ strip: Int) {
        strips[strip].faults.powerCut = false
        advertisingBegan(strip)
    }

    /// Stops or resumes advertising; a link is kept.
    public func setSilent(_ strip: Int, _ silent: Bool) {
        strips[strip].faults.silent = silent
        advertisingBegan(strip)
    }

    /// Wherever there is discovery, it is heard once more than the scan would have it: a controller that does not filter.
    public func report(_ strip: Int) {
        for index in adapters.indices { hear(strip, on: index) }
    }

    public func setRSSI(_ strip: Int, _ rssi: Int16) { strips[strip].description.rssi = rssi }

    /// The next `times` links are refused, with the signals and the error that were recorded.
    public func refuseConnects(_ strip: Int, times: Int, as refusal: ConnectRefusal = .noAnswer) {
        strips[strip].faults.refusals = times
        strips[strip].faults.refusal = refusal
    }

    /// The next `times` calls of `Connect` are never answered, and the object is removed after `VirtualTiming.paging`.
    public func leaveConnectsUnanswered(_ strip: Int, times: Int) {
        strips[strip].faults.unansweredConnects = times
    }

    // MARK: Its attributes

    /// Swallows the next `count` notifications, or all of them until it is set to 0 (`nil`).
    public func swallowNotifications(_ strip: Int, count: Int?) { strips[strip].faults.swallow = count ?? -1 }

    public func delayNotifications(_ strip: Int, by delay: Duration) { strips[strip].faults.notifyDelay = delay }

    /// Writes of both kinds, reads and subscriptions take this much longer.
    public func delayWrites(_ strip: Int, by delay: Duration) { strips[strip].faults.writeDelay = delay }

    /// Never answers ATT requests, or does again.
    public func muteATT(_ strip: Int, _ mute: Bool) { strips[strip].faults.attMute = mute }

    /// Answers the next `times` write requests with this ATT error.
    public func failWrites(_ strip: Int, code: UInt8, times: Int = 1) {
        strips[strip].faults.writeError = times > 0 ? (code, times) : nil
    }

    /// The next `times` service discoveries end with `ServicesResolved` and no GATT object.
    public func hideServices(_ strip: Int, times: Int) { strips[strip].faults.emptyResolutions = times }

    /// The next `times` service discoveries do not end: `ServicesResolved` stays false.
    public func neverResolve(_ strip: Int, times: Int) { strips[strip].faults.missingResolutions = times }

    /// GATT objects appear this much after `ServicesResolved`; `nil`: before it, as usual.
    public func exportServicesLate(_ strip: Int, by delay: Duration?) { strips[strip].faults.objectsLate = delay }

    /// The next time that its services are discovered, their objects have other paths.
    public func renumberServices(_ strip: Int, firstHandle: UInt16) {
        strips[strip].description.firstHandle = firstHandle
    }

    // MARK: Its firmware

    /// Someone used the remote control (or the app): the light changes without us.
    public func remoteControl(_ strip: Int, notifying: Bool = false, _ change: @Sendable (inout FirmwareState) -> Void)
    {
        strips[strip].firmware.change(at: now, change)
        if notifying { sendNotification(strips[strip].firmware.status(at: now), from: strip, after: .zero) }
    }

    /// Notifies these bytes, whatever they are.
    public func notify(_ strip: Int, _ bytes: [UInt8]) { sendNotification(bytes, from: strip, after: .zero) }

    /// From now on a report shows the light as it was this long ago.
    public func setLag(_ strip: Int, _ lag: Duration) { strips[strip].firmware.setLag(lag) }
}

/// What tests may do to the adapters and to bluetoothd itself.
extension VirtualBlueZ {
    /// Switches an adapter on or off as another client, or a key on the keyboard, would.
    public func setPowered(adapter index: Int, _ on: Bool) { power(index, on: on) }

    public func unplug(adapter index: Int) {
        guard adapters[index].present else { return }
        cancel(&adapters[index].scan)
        for device in devices(of: index) where device.attempt != nil { abandonAttempt(device.path, .abortedByLocal) }
        disappear(index)
    }

    /// Plugs it in again, as `hciN` with another number if one is given.
    public func plug(adapter index: Int, number: Int? = nil) {
        guard !adapters[index].present else { return }
        if let number { adapters[index].number = number }
        appear(index)
    }

    /// Its controller answers nothing any more, or does again.
    public func hang(adapter index: Int, _ hung: Bool) {
        adapters[index].hung = hung
        for strip in strips.indices where !hung { advertisingBegan(strip) }
    }

    /// Answers the next `times` calls of `member` (on `path`, if one is given) with `error`, and does nothing else.
    public func failNext(_ member: String, on path: ObjectPath? = nil, with error: BusError, times: Int = 1) {
        plans.append(PlannedAnswer(member: member, path: path, act: .fail(error), times: times))
    }

    /// Leaves the next `times` calls of `member` without an answer, and does nothing else.
    public func ignoreNext(_ member: String, on path: ObjectPath? = nil, times: Int = 1) {
        plans.append(PlannedAnswer(member: member, path: path, act: .ignore, times: times))
    }

    /// Begins with the next `times` calls of `member` only after `delay`.
    public func delayNext(_ member: String, on path: ObjectPath? = nil, by delay: Duration, times: Int = 1) {
        plans.append(PlannedAnswer(member: member, path: path, act: .delay(delay), times: times))
    }

    /// Every call is refused, as by the bus's policy.
    public func denyAccess(_ deny: Bool) { denied = deny }
}
