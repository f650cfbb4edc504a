import BlueZ
import EventLoop
import Glibc
import StripCore
import Testing
import VirtualBlueZ

@testable import StripServer

/// Whether strips can be reached, in the log and in the health.
@Suite struct ReachLogTests {
    @Test func oneLineTellsWhatStands() async throws {
        try await Desk.with(strips: 0) { desk in
            let reach = ReachLog(
                registry: desk.registry, bluez: desk.client, log: desk.log.log(.info), moment: .milliseconds(20),
                on: desk.loop)
            let task = Task(executorPreference: desk.loop) { await reach.run() }
            #expect(await desk.log.next(with: "reached") == "notice: strips are reached through hci0")
            await desk.bluez.setPowered(adapter: 0, false)
            #expect(
                await desk.log.next(with: "reached")
                    == "notice: no strip can be reached: The Bluetooth adapter is off: switch it on with bluetoothctl power on, or unblock it with rfkill."
            )
            await desk.bluez.setPowered(adapter: 0, true)
            #expect(await desk.log.next(with: "reached") == "notice: strips are reached through hci0")
            task.cancel()
            await task.value
        }
    }

    @Test func whatDoesNotLastIsNoNews() async throws {
        try await Desk.with(strips: 0) { desk in
            let reach = ReachLog(
                registry: desk.registry, bluez: desk.client, log: desk.log.log(.info), moment: .seconds(600),
                on: desk.loop)
            let events = await desk.client.events()
            let task = Task(executorPreference: desk.loop) { await reach.run() }
            await desk.bluez.setPowered(adapter: 0, false)
            for await event in events { if case .adapter(let adapter) = event, !adapter.powered { break } }
            task.cancel()
            await task.value
            #expect(await desk.log.rest().isEmpty)
        }
    }

    @Test("a bus that is lost is told, and found again") func aBusThatComesBack() async throws {
        let loop = try EventLoop(name: "desk")
        let directory = try temporaryDirectory()
        let path = directory + "/bus"
        try await Desk.without(busAddress: "unix:path=" + path) { desk in
            let events = await desk.client.events()
            let following = Task(executorPreference: desk.loop) { await desk.client.run() }
            for _ in 1...2 {
                let bus = try PrivateBus()
                unlink(path)
                #expect(symlink(try #require(socketPath(of: bus.address)), path) == 0)
                let bluez = VirtualBlueZ(busAddress: bus.address, on: loop, world: World(strips: 1, timing: .fast))
                try await bluez.start()
                for await event in events { if case .adapter(let adapter) = event, adapter.powered { break } }
                #expect(try await desk.ask("GET /v1/health")["bluetooth"] == "\"present\"")
                #expect(try await desk.ask("GET /v1/health")["status"] == "\"ok\"")
                await bluez.stop()
                bus.stop()
                for await event in events { if case .presence(.noBus) = event { break } }
                let lost = try await desk.ask("GET /v1/health")
                #expect(lost.status == 200)
                #expect(lost["bluetooth"] == "\"no-bus\"")
                #expect(lost["status"] == "\"degraded\"")
            }
            following.cancel()
            await following.value
        }
        loop.stop()
        removeTree(directory)
    }

    private func socketPath(of address: String) -> String? {
        address.split(separator: ",").first.map { String($0.dropFirst("unix:path=".count)) }
    }
}
