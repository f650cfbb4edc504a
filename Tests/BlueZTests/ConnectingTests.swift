import DBus
import EventLoop
import Testing
import VirtualBlueZ

@testable import BlueZ

@Suite(.timeLimit(.minutes(1)))
struct ConnectingTests {
    @Test("users.md 5: an adapter that appears late is seen")
    func lateAdapter() async throws {
        try await Stage.present(showing: []) { stage in
            let events = await stage.client.events()
            #expect(await stage.client.adapters == [])
            try await stage.fake.add(.adapter(hci0, powered: false))
            let adapter = Adapter(path: hci0, address: "00:AA:01:00:00:23")
            #expect(await events.first { _ in true } == .adapter(adapter))
            #expect(await stage.client.adapters == [adapter])
        }
    }

    @Test("users.md 14: signals that race the first reply are applied after it, in order")
    func race() async throws {
        try await Stage.run { stage in
            let (asked, answer) = (Gate(), Gate())
            await stage.fake.answer("GetManagedObjects") { _ in
                await asked.unlock()
                await answer.pass()
                return [managed([.hci0, .device(), .ffd5, .ffd9])]
            }
            let events = await stage.client.events()
            try await stage.fake.start(on: stage.bus.address)
            await asked.pass()
            try await stage.fake.change(desk, device1, ["Connected": .bool(true)])
            try await stage.fake.remove(ffd9, [characteristic1])
            try await stage.fake.remove(desk, [device1])
            try await stage.fake.change(hci0, adapter1, ["Discovering": .bool(true)])
            await answer.unlock()
            _ = await events.first { $0 == .presence(.present) }
            #expect(await stage.client.devices() == [])
            #expect(await stage.client.adapters.map(\.discovering) == [true])
        }
    }

    @Test("users.md 43: a bluetoothd that is killed takes everything with it, and the next one is read anew")
    func restart() async throws {
        try await Stage.present(showing: Object.linked) { stage in
            let events = await stage.client.events()
            let device = await stage.client.events(ofDevice: deskAddress.lowercased())
            await stage.fake.stop()
            #expect(await device.first { _ in true } == .vanished(desk))
            #expect(await stage.client.presence == .absent)
            #expect(await stage.client.adapters == [])
            #expect(await stage.client.characteristics(of: desk) == [])

            let next = FakeBlueZ(on: stage.loop)
            try await next.start(on: stage.bus.address, showing: [.hci0, .device(rssi: nil)])
            #expect(await events.first { $0 == .presence(.present) } != nil)
            #expect(await stage.client.devices(withAddress: deskAddress).map(\.connected) == [false])
            try await next.change(desk, device1, ["Connected": .bool(true)])
            #expect(await device.first { if case .changed(let device) = $0 { device.connected } else { false } } != nil)
            await next.stop()
        }
    }

    @Test("users.md 45: a call that an earlier bluetoothd left open ends, and reaches no later one")
    func openCall() async throws {
        try await Stage.present(showing: Object.linked) { stage in
            await stage.fake.answer("WriteValue") { _ in throw NoReply() }
            let write = Task {
                await outcome { () throws(BlueZError) in try await stage.client.write([1], to: ffd9, type: .request) }
            }
            await stage.fake.called("WriteValue")
            let events = await stage.client.events()
            await stage.fake.stop()
            #expect(await write.value == .vanished)
            let next = FakeBlueZ(on: stage.loop)
            try await next.start(on: stage.bus.address, showing: Object.linked)
            _ = await events.first { $0 == .presence(.present) }
            #expect(await next.calls.isEmpty)
            await next.stop()
        }
    }

    @Test("users.md 45: what others say in BlueZ's place is ignored")
    func impostor() async throws {
        try await Stage.present { stage in
            let other = FakeBlueZ(on: stage.loop)
            try await other.start(on: stage.bus.address, owning: "com.example.Other")
            try await other.add(.device())
            try await other.remove(hci0, [adapter1])
            let events = await stage.client.events()
            try await stage.fake.change(hci0, adapter1, ["Discovering": .bool(true)])
            _ = await events.first { _ in true }
            #expect(await stage.client.devices() == [])
            #expect(await stage.client.adapters.count == 1)
            await other.stop()
        }
    }

    @Test("users.md 70: the loss of the bus is told, and ends open calls")
    func busLost() async throws {
        try await Stage.present(showing: Object.linked) { stage in
            await stage.fake.answer("Connect") { _ in throw NoReply() }
            let connect = Task { await outcome { () throws(BlueZError) in try await stage.client.connect(desk) } }
            await stage.fake.called("Connect")
            let events = await stage.client.events()
            stage.bus.stop()
            let told = await events.first { _ in true }
            guard case .presence(.noBus(let why)) = told else {
                Issue.record("\(String(describing: told))")
                return
            }
            #expect(why.contains("bus"))
            #expect(await connect.value == .disconnected)
            #expect(await outcome { () throws(BlueZError) in try await stage.client.disconnect(desk) } == .disconnected)
        }
    }

    @Test("users.md 71: a bus that forbids BlueZ is told as such")
    func denied() async throws {
        try await Stage.run(denying: ["org.bluez"]) { stage in
            let events = await stage.client.events()
            try await stage.fake.start(on: stage.bus.address)
            let told = await events.first { if case .presence(.notAllowed) = $0 { true } else { false } }
            #expect("\(String(describing: told))".contains("AccessDenied"))
            #expect(await outcome { () throws(BlueZError) in try await stage.client.connect(desk) } == .accessDenied)
        }
    }

    @Test("users.md 72: without bluetoothd calls fail at once")
    func absent() async throws {
        try await Stage.run { stage in
            let events = await stage.client.events()
            if await stage.client.presence != .absent { _ = await events.first { $0 == .presence(.absent) } }
            #expect(await outcome { () throws(BlueZError) in try await stage.client.connect(desk) } == .serviceUnknown)
            await #expect(throws: BlueZError.absent()) {
                for try await _ in await stage.client.discover(on: hci0) {}
            }
        }
    }

    @Test("a bus that cannot be reached is tried again until it is there")
    func noBus() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let client = BlueZClient(
            busAddress: "unix:path=/nonexistent/bus", on: loop,
            timing: .init(retry: .milliseconds(1) ... .milliseconds(1)))
        let events = await client.events()
        let work = Task(executorPreference: loop) { await client.run() }
        let told = await events.first { _ in true }
        #expect("\(String(describing: told))".contains("/nonexistent/bus"))
        work.cancel()
        await work.value
        #expect(await events.first { _ in true } == nil)
    }

    @Test("users.md 68, 69: whatever comes and goes, neither connections nor match rules pile up")
    func oneConnection() async throws {
        try await Stage.present { stage in
            let watcher = try await Bus.open(stage.bus.address, on: stage.loop)
            let before = (try await watcher.names(), try await watcher.matchRules())
            for _ in 0..<100 {
                try await stage.fake.add(.device())
                for try await device in await stage.client.discover(on: hci0) where device.path == desk { break }
                try await stage.client.connect(desk)
                let events = await stage.client.events(ofDevice: deskAddress)
                try await stage.fake.remove(desk, [device1])
                _ = await events.first { $0 == .vanished(desk) }
                #expect(await stage.client.device(at: desk) == nil)
            }
            #expect(try await watcher.names() == before.0)
            #expect(try await watcher.matchRules() == before.1)
            #expect(before.1 > 0)
            await watcher.close()
        }
    }
}

/// How an operation ended; `nil` is success.
func outcome(_ operation: () async throws(BlueZError) -> Void) async -> BlueZError.Kind? {
    do throws(BlueZError) {
        try await operation()
        return nil
    } catch { return error.kind }
}

extension Bus {
    /// Everyone on the bus.
    fileprivate func names() async throws -> Set<String> {
        let list = MethodCall(
            to: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "ListNames")
        guard case .array(_, let names)? = try await call(list).first else { return [] }
        return Set(names.compactMap { if case .string(let name) = $0 { name } else { nil } })
    }

    /// How many match rules there are on the bus, of all connections.
    fileprivate func matchRules() async throws -> Int {
        let list = MethodCall(
            to: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus.Debug.Stats",
            member: "GetAllMatchRules")
        guard case .dict(_, let connections)? = try await call(list).first else { return 0 }
        return connections.reduce(0) { if case .array(_, let rules) = $1.1 { $0 + rules.count } else { $0 } }
    }
}
