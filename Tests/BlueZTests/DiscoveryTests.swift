import DBus
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(1)))
struct DiscoveryTests {
    @Test("users.md 17, 18: the filter asks for LE alone and comes before the start")
    func filter() async throws {
        try await Stage.present(showing: [.hci0, .device()]) { stage in
            let found = await stage.client.discover(on: hci0)
            #expect(await found.next()?.path == desk)
            await stage.fake.called("StartDiscovery")
            #expect(await stage.fake.members() == ["SetDiscoveryFilter", "StartDiscovery"])
            guard case .dict(_, let filter)? = await stage.fake.calls.first?.arguments.first else { return }
            #expect("\(filter)" == "\([(DBusValue.string("Transport"), DBusValue.variant(.string("le")))])")
        }
    }

    @Test("users.md 13: a device that advertises once is found, one that is not heard is not")
    func found() async throws {
        let silent: ObjectPath = "/org/bluez/hci0/dev_00_00_00_00_00_01"
        try await Stage.present(showing: [.hci0, .device(silent, address: "00:00:00:00:00:01", rssi: nil)]) { stage in
            let found = await stage.client.discover(on: hci0)
            await stage.fake.called("StartDiscovery")
            try await stage.fake.add(.device())
            #expect(await found.next()?.path == desk)
            try await stage.fake.change(silent, device1, ["RSSI": .int16(-80)])
            #expect(await found.next()?.rssi == -80)
        }
    }

    @Test func severalReadersShareOneDiscoveryAndTheLastOneEndsIt() async throws {
        try await Stage.present { stage in
            var first: AsyncThrowingStream<Device, any Error>? = await stage.client.discover(on: hci0)
            var second: AsyncThrowingStream<Device, any Error>? = await stage.client.discover(on: hci0)
            await stage.fake.called("StartDiscovery")
            try await stage.fake.add(.device())
            #expect(await first?.next()?.path == desk)
            first = nil
            #expect(await second?.next()?.path == desk)
            #expect(await stage.client.discoveryIsActive(on: hci0))
            second = nil
            await stage.fake.called("StopDiscovery")
            #expect(await stage.fake.members() == ["SetDiscoveryFilter", "StartDiscovery", "StopDiscovery"])
        }
    }

    @Test func aCancelledReaderEndsIt() async throws {
        try await Stage.present { stage in
            let reader = Task { for try await _ in await stage.client.discover(on: hci0) {} }
            await stage.fake.called("StartDiscovery")
            reader.cancel()
            await stage.fake.called("StopDiscovery")
        }
    }

    @Test func stoppingReturnsOnceBlueZHasStopped() async throws {
        try await Stage.present { stage in
            let found = await stage.client.discover(on: hci0)
            await stage.fake.called("StartDiscovery")
            await stage.client.stopDiscovery(on: hci0)
            #expect(await stage.fake.members().last == "StopDiscovery")
            #expect(await !stage.client.discoveryIsActive(on: hci0))
            #expect(await found.next() == nil)
        }
    }

    @Test func stoppingAndStartingAtOnceAgree() async throws {
        try await Stage.present { stage in
            _ = await stage.client.discover(on: hci0)
            for _ in 0..<20 {
                let held = await stage.client.discover(on: hci0)
                async let stopped: Void = stage.client.stopDiscovery(on: hci0)
                let again = await stage.client.discover(on: hci0)
                await stopped
                await stage.client.stopDiscovery(on: hci0)
                withExtendedLifetime((held, again)) {}
            }
            #expect(await !stage.client.discoveryIsActive(on: hci0))
            #expect(await stage.client.discoveries.isEmpty)
            let starts = await stage.fake.count(of: "StartDiscovery")
            #expect(await stage.fake.count(of: "StopDiscovery") == starts)
        }
    }

    @Test("users.md 20: InProgress is met by one stop and start")
    func inProgressOnce() async throws {
        try await Stage.present { stage in
            await stage.fake.refuse("StartDiscovery", "org.bluez.Error.InProgress", "Operation already in progress")
            await stage.fake.answer("StopDiscovery") { [fake = stage.fake] _ in
                await fake.answer("StartDiscovery") { _ in [] }
                return []
            }
            let found = await stage.client.discover(on: hci0)
            await stage.fake.called("StartDiscovery", times: 2)
            try await stage.fake.add(.device())
            #expect(await found.next()?.path == desk)
        }
    }

    @Test("users.md 20: InProgress for ever lists what is known and says what to do")
    func inProgressForEver() async throws {
        try await Stage.present(showing: [.hci0, .device()]) { stage in
            await stage.fake.refuse("StartDiscovery", "org.bluez.Error.InProgress", "Operation already in progress")
            var found: [ObjectPath] = []
            do {
                for try await device in await stage.client.discover(on: hci0) { found.append(device.path) }
                Issue.record("ended without an error")
            } catch {
                #expect("\(error)".contains("restart bluetoothd"))
            }
            #expect(found == [desk])
            #expect(await stage.fake.count(of: "StartDiscovery") == 2)
        }
    }

    @Test("users.md 21: a StopDiscovery that is refused is no failure")
    func stopRefused() async throws {
        try await Stage.present { stage in
            await stage.fake.refuse("StopDiscovery", "org.bluez.Error.Failed", "No discovery started")
            let found = await stage.client.discover(on: hci0)
            await stage.fake.called("StartDiscovery")
            await stage.client.stopDiscovery(on: hci0)
            #expect(await found.next() == nil)
        }
    }

    @Test("a StartDiscovery that is never answered is on if the adapter discovers")
    func neverAnswered() async throws {
        try await Stage.present(timing: .init(startDiscovery: .milliseconds(100))) { stage in
            await stage.fake.answer("StartDiscovery") { [fake = stage.fake] _ in
                try await fake.change(hci0, adapter1, ["Discovering": .bool(true)])
                throw NoReply()
            }
            let found = await stage.client.discover(on: hci0)
            await stage.fake.called("StartDiscovery")
            await stage.client.stopDiscovery(on: hci0)  // waits for the start to be given up
            #expect(await stage.fake.members().last == "StopDiscovery")
            #expect(await found.next() == nil)
        }
    }

    @Test("a StartDiscovery that is never answered fails if the adapter does not discover")
    func dead() async throws {
        try await Stage.present(timing: .init(startDiscovery: .milliseconds(100))) { stage in
            await stage.fake.answer("StartDiscovery") { _ in throw NoReply() }
            #expect(await failure(of: stage.client.discover(on: hci0)) == .timeout)
        }
    }

    @Test("users.md 1: an adapter that is off ends it")
    func off() async throws {
        try await Stage.present { stage in
            await stage.fake.refuse("SetDiscoveryFilter", "org.bluez.Error.NotReady", "Resource Not Ready")
            #expect(await failure(of: stage.client.discover(on: hci0)) == .notReady)
        }
    }

    @Test("users.md 4: switching the adapter off in the middle ends it, and the next one is clean")
    func switchedOff() async throws {
        try await Stage.present { stage in
            await stage.fake.refuse("StopDiscovery", "org.bluez.Error.NotReady", "Resource Not Ready")
            let found = await stage.client.discover(on: hci0)
            await stage.fake.called("StartDiscovery")
            try await stage.fake.add(.device())
            #expect(await found.next()?.path == desk)
            try await stage.fake.change(hci0, adapter1, ["Powered": .bool(false), "Discovering": .bool(false)])
            #expect(await failure(of: found) == .notReady)
            try await stage.fake.change(hci0, adapter1, ["Powered": .bool(true)])
            let again = await stage.client.discover(on: hci0)
            #expect(await again.next()?.path == desk)
            await stage.fake.called("StartDiscovery", times: 2)
        }
    }

    @Test func anAdapterThatIsRemovedEndsIt() async throws {
        try await Stage.present { stage in
            let found = await stage.client.discover(on: hci0)
            await stage.fake.called("StartDiscovery")
            try await stage.fake.remove(hci0, [adapter1])
            #expect(await failure(of: found) == .vanished)
        }
    }

    @Test("users.md 43: a bluetoothd that goes ends it")
    func ownerLost() async throws {
        try await Stage.present { stage in
            let found = await stage.client.discover(on: hci0)
            await stage.fake.called("StartDiscovery")
            await stage.fake.stop()
            #expect(await failure(of: found) == .serviceUnknown)
        }
    }

    @Test("users.md 34: Connect waits until our discovery has stopped, and it goes on afterwards")
    func connectFirst() async throws {
        try await Stage.present(showing: [.hci0, .device()]) { stage in
            let found = await stage.client.discover(on: hci0)
            await stage.fake.called("StartDiscovery")
            try await stage.client.connect(desk)
            await stage.fake.called("StartDiscovery", times: 2)
            let order = ["StartDiscovery", "StopDiscovery", "Connect", "SetDiscoveryFilter", "StartDiscovery"]
            #expect(await stage.fake.members() == ["SetDiscoveryFilter"] + order)
            try await stage.fake.change(desk, device1, ["RSSI": .int16(-40)])
            while let device = await found.next() { if device.rssi == -40 { break } }
        }
    }

    @Test("a Connect that takes long lets the discovery go on meanwhile")
    func connectSlowly() async throws {
        try await Stage.present(showing: [.hci0, .device()], timing: .init(quietForConnect: .milliseconds(1))) {
            stage in
            let answer = Gate()
            await stage.fake.answer("Connect") { _ in
                await answer.pass()
                return []
            }
            let found = await stage.client.discover(on: hci0)
            await stage.fake.called("StartDiscovery")
            let connect = Task { await outcome { () throws(BlueZError) in try await stage.client.connect(desk) } }
            await stage.fake.called("StartDiscovery", times: 2)
            await answer.unlock()
            #expect(await connect.value == nil)
            #expect(await found.next()?.path == desk)
        }
    }
}

extension AsyncThrowingStream<Device, any Error> {
    fileprivate func next() async -> Device? {
        var iterator = makeAsyncIterator()
        return try? await iterator.next()
    }
}

private func failure(of stream: AsyncThrowingStream<Device, any Error>) async -> BlueZError.Kind? {
    do {
        for try await _ in stream {}
        return nil
    } catch { return (error as? BlueZError)?.kind }
}
