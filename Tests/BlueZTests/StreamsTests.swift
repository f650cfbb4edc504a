import DBus
import EventLoop
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(1)))
struct StreamsTests {
    @Test func aDeviceTellsItsLifeInOrder() async throws {
        try await Stage.present { stage in
            let events = await stage.client.events(ofDevice: deskAddress)
            let fake = stage.fake
            try await fake.add(.device())
            try await fake.change(desk, device1, ["Connected": .bool(true)])
            try await fake.change(desk, device1, ["Connected": .bool(false)])
            try await fake.add(.ffd0)
            try await fake.add(.ffd4)
            try await fake.change(ffd4, characteristic1, ["Value": .bytes([0x66])])
            try await fake.change(ffd4, characteristic1, ["Value": .bytes([0x66])])
            try await fake.remove(desk, [device1])
            var seen: [String] = []
            for await event in events {
                switch event {
                case .changed(let device): seen.append(device.connected ? "linked" : "not linked")
                case .advertised(let device): seen.append("heard \(device.rssi ?? 0)")
                case .vanished: seen.append("vanished")
                case .characteristicsChanged: seen.append("characteristics")
                case .notified(_, let value): seen.append("\(value)")
                }
                if seen.last == "vanished" { break }
            }
            #expect(
                seen == [
                    "not linked", "heard -57", "linked", "not linked", "characteristics", "[102]", "[102]", "vanished",
                ])
        }
    }

    @Test func eachAddressHearsOfItsOwnDevicesAlone() async throws {
        let neighbour: ObjectPath = "/org/bluez/hci0/dev_00_00_00_00_00_01"
        try await Stage.present { stage in
            let events = await stage.client.events(ofDevice: "ff:ff:38:5b:40:65")
            try await stage.fake.add(.device(neighbour, address: "00:00:00:00:00:01"))
            try await stage.fake.remove(neighbour, [device1])
            try await stage.fake.add(.device())
            let first = await events.first { _ in true }
            #expect(first == (await stage.client.device(at: desk)).map(DeviceEvent.changed))
        }
    }

    @Test func aDroppedStreamLeavesNothingBehind() async throws {
        try await Stage.present { stage in
            for _ in 0..<10 {
                _ = await stage.client.events(ofDevice: deskAddress)
                _ = await stage.client.events()
            }
            let readers = Task {
                for await _ in await stage.client.events(ofDevice: deskAddress) {}
            }
            readers.cancel()
            await readers.value
            // Each lease ends in a job on the loop; an answer that took the way over the bus comes later than those.
            try await stage.client.call(hci0, "org.freedesktop.DBus.Peer", "Ping", timeout: .seconds(10))
            #expect(await stage.client.deviceReaders.isEmpty)
        }
    }

    @Test func streamsEndWithTheRun() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let client = BlueZClient(busAddress: "unix:path=/nonexistent/bus", on: loop)
        let (all, events) = (await client.events(), await client.events(ofDevice: deskAddress))
        let work = Task(executorPreference: loop) { await client.run() }
        work.cancel()
        await work.value
        for await _ in all {}
        for await _ in events {}
        for await _ in await client.events() {}
    }
}
