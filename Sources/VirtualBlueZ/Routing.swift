import DBus

/// A call that waits for its reply.
struct PendingCall: Sendable {
    /// Its place in the call log.
    let number: Int
    let call: MethodCall
    let reply: Reply
}

/// What a test wants to happen to the next calls of a kind, in place of the usual.
struct PlannedAnswer: Sendable {
    enum Act: Sendable {
        case fail(BusError)
        case ignore
        case delay(Duration)
    }

    var member: String
    var path: ObjectPath?
    var act: Act
    var times: Int
}

/// Every call comes in here and is logged, then goes to the object that it names.
extension VirtualBlueZ {
    func receive(_ call: MethodCall, _ reply: Reply) {
        let pending = PendingCall(number: calls.count, call: call, reply: reply)
        calls.append(
            RecordedCall(
                time: now, sender: call.sender, path: call.path.text, interface: call.interface, member: call.member,
                arguments: call.arguments))
        if denied { return fail(pending, .accessDenied) }
        guard let plan = takePlan(for: call) else { return perform(pending) }
        switch plan {
        case .fail(let error): fail(pending, error)
        case .ignore: break
        case .delay(let delay): after(delay) { $0.perform(pending) }
        }
    }

    func reply(_ pending: PendingCall, _ values: [DBusValue] = []) {
        calls.update(pending.number) { [now] in ($0.outcome, $0.answered) = (.replied, now) }
        noteAnswer(pending.call, nil)
        pending.reply.send(values)
    }

    func fail(_ pending: PendingCall, _ error: BusError) {
        calls.update(pending.number) { [now] in ($0.outcome, $0.answered) = (.failed(error), now) }
        noteAnswer(pending.call, error)
        pending.reply.send(error)
    }

    private func takePlan(for call: MethodCall) -> PlannedAnswer.Act? {
        let match = plans.firstIndex { $0.member == call.member && ($0.path ?? call.path) == call.path }
        guard let match else { return nil }
        let act = plans[match].act
        plans[match].times -= 1
        if plans[match].times == 0 { plans.remove(at: match) }
        return act
    }

    private func perform(_ pending: PendingCall) {
        let call = pending.call
        switch call.interface {
        case "org.freedesktop.DBus.ObjectManager" where call.path.text == "/" && call.member == "GetManagedObjects":
            reply(pending, [managedObjects])
        case Interface.introspectable.rawValue where call.member == "Introspect":
            reply(pending, [.string(introspection(of: call.path))])
        case Interface.properties.rawValue: performOnProperties(pending)
        case Interface.adapter.rawValue:
            guard let index = adapter(at: call.path) else { return fail(pending, .unknownObject(call)) }
            performOnAdapter(index, pending)
        case Interface.device.rawValue:
            guard devices[call.path] != nil else { return fail(pending, .unknownObject(call)) }
            performOnDevice(call.path, pending)
        case Interface.characteristic.rawValue:
            guard let found = characteristic(at: call.path) else { return fail(pending, .unknownObject(call)) }
            performOnCharacteristic(found, pending)
        case Interface.agentManager.rawValue where call.path.text == "/org/bluez": reply(pending)
        default:
            let known = object(at: call.path) != nil
            fail(pending, known ? .unknownMethod(call) : .unknownObject(call))
        }
    }

    private func performOnAdapter(_ index: Int, _ pending: PendingCall) {
        switch pending.call.member {
        case "StartDiscovery": startDiscovery(index, pending)
        case "StopDiscovery": stopDiscovery(index, pending)
        case "SetDiscoveryFilter": setDiscoveryFilter(index, pending)
        case "GetDiscoveryFilters":
            reply(
                pending,
                [.strings(["UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern"])])
        case "RemoveDevice":
            guard case .objectPath(let path)? = pending.call.arguments.first, devices[path]?.adapter == index else {
                return fail(pending, .doesNotExist)
            }
            removeDevice(path, pending)
        default: fail(pending, .unknownMethod(pending.call))
        }
    }

    private func performOnDevice(_ path: ObjectPath, _ pending: PendingCall) {
        switch pending.call.member {
        case "Connect": connect(path, pending)
        case "Disconnect": disconnect(path, pending)
        default: fail(pending, .unknownMethod(pending.call))
        }
    }

    private func performOnCharacteristic(_ characteristic: FoundCharacteristic, _ pending: PendingCall) {
        switch pending.call.member {
        case "WriteValue": writeValue(characteristic, pending)
        case "ReadValue": readValue(characteristic, pending)
        case "StartNotify": startNotify(characteristic, pending)
        case "StopNotify": stopNotify(characteristic, pending)
        case "AcquireWrite", "AcquireNotify": fail(pending, .notSupported)
        default: fail(pending, .unknownMethod(pending.call))
        }
    }

    func adapter(at path: ObjectPath) -> Int? { adapters.firstIndex { $0.present && $0.path == path } }

    /// A characteristic's object, with the device that it belongs to.
    struct FoundCharacteristic: Sendable {
        var path: ObjectPath
        var device: ObjectPath
        var role: GATTTable.Role
        var flags: [String]
    }

    func characteristic(at path: ObjectPath) -> FoundCharacteristic? {
        guard let device = path.parent?.parent, let table = devices[device]?.gatt,
            let (role, flags) = table.characteristic(at: path)
        else { return nil }
        return FoundCharacteristic(path: path, device: device, role: role, flags: flags)
    }
}
