import DBus
import EventLoop
import Glibc
import Testing
import VirtualBlueZ

@Suite struct BusTests {
    @Test func theBusGivesUsAName() async throws {
        let name = try await withBus { try await $0.connect().uniqueName }
        #expect(name?.hasPrefix(":1.") == true)
    }

    @Test(
        "an address that leads nowhere is an error that names it",
        arguments: [
            ("", "org.freedesktop.DBus.Error.BadAddress"),
            ("nonsense", "org.freedesktop.DBus.Error.BadAddress"),
            ("unix:", "org.freedesktop.DBus.Error.BadAddress"),
            ("unix:path=", "org.freedesktop.DBus.Error.BadAddress"),
            ("unix:path=/nonexistent/socket", "org.freedesktop.DBus.Error.FileNotFound"),
            ("unix:path=/dev/null", "org.freedesktop.DBus.Error.NoServer"),
            ("autolaunch:", "org.freedesktop.DBus.Error.BadAddress"),
            ("unixexec:path=/bin/true", "org.freedesktop.DBus.Error.BadAddress"),
            ("tcp:host=localhost,port=1", "org.freedesktop.DBus.Error.BadAddress"),
            ("unix:path=/nonexistent/socket;autolaunch:", "org.freedesktop.DBus.Error.BadAddress"),
            ("unix:path=/a\0b", "org.freedesktop.DBus.Error.InvalidArgs"),
        ])
    func addressesThatLeadNowhere(address: String, name: String) async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let error = await busError { _ = try await Bus.open(address, on: loop) }
        #expect(error.name == name, "\(error)")
        #expect(error.message.contains(address) || address.isEmpty || address.contains("\0"), "\(error)")
    }

    @Test func aListenerThatIsNoBusAndSaysNothingTimesOut() async throws {
        let socket = try SilentSocket()
        defer { socket.close() }
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let error = await busError { _ = try await Bus.open(socket.address, on: loop, timeout: .milliseconds(20)) }
        #expect(error.isTimeout, "\(error)")
        #expect(error.message.contains(socket.address))
    }

    @Test func openingCanBeCancelled() async throws {
        let socket = try SilentSocket()
        defer { socket.close() }
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let opening = Task(executorPreference: loop) {
            _ = try await Bus.open(socket.address, on: loop, timeout: .seconds(3600))
        }
        opening.cancel()
        await #expect(throws: CancellationError.self) { try await opening.value }
    }

    @Test func aPausedBusDoesNotHoldTheLoop() async throws {
        try await withBus { test in
            test.daemon.pause()
            let error = await busError {
                _ = try await Bus.open(test.daemon.address, on: test.loop, timeout: .milliseconds(20))
            }
            #expect(error.isTimeout, "\(error)")
            test.daemon.resume()
            let bus = try await test.connect()
            #expect(await bus.uniqueName != nil)
        }
    }

    @Test("users.md 70: when the bus is killed, calls and streams end with an error, and the process lives")
    func theBusIsKilled() async throws {
        try await withBus { test in
            let arrived = Gate()
            try await test.serve { _ in
                arrived.open()
                throw NoReply()
            }
            let bus = try await test.connect()
            let signals = try await bus.signals(matching: MatchRule(interface: "test.Interface"))
            let call = Task(executorPreference: test.loop) { try await bus.call(.test("Wait"), timeout: nil) }
            let impatient = Task(executorPreference: test.loop) { try await bus.call(.test("Wait")) }
            await arrived.pass()
            test.daemon.stop()
            #expect(await busError { _ = try await call.value }.isDisconnected)
            #expect(await busError { _ = try await impatient.value }.isDisconnected)
            #expect(await busError { for try await _ in signals {} }.isDisconnected)
            #expect(await bus.uniqueName == nil)
            #expect(await busError { _ = try await bus.call(.test("Late")) }.isDisconnected)
            #expect(await busError { _ = try await bus.signals(matching: MatchRule()) }.isDisconnected)
            #expect(await busError { try await bus.emit(.test("Late")) }.isDisconnected)
        }
    }

    @Test func anIdleConnectionNoticesThatTheBusWasKilled() async throws {
        try await withBus { test in
            let bus = try await test.connect()
            let signals = try await bus.signals(matching: MatchRule(interface: "test.Interface"))
            test.daemon.stop()
            #expect(await busError { for try await _ in signals {} }.isDisconnected)
        }
    }

    @Test func closingEndsCallsAndStreams() async throws {
        try await withBus { test in
            let arrived = Gate()
            try await test.serve { _ in
                arrived.open()
                throw NoReply()
            }
            let bus = try await test.connect()
            let signals = try await bus.signals(matching: MatchRule())
            let call = Task(executorPreference: test.loop) { try await bus.call(.test("Wait")) }
            await arrived.pass()
            await bus.close()
            await bus.close()
            #expect(await busError { _ = try await call.value }.isDisconnected)
            #expect(await busError { for try await _ in signals {} }.isDisconnected)
        }
    }

    @Test func aBusThatIsDroppedLeavesTheBus() async throws {
        try await withBus { test in
            let observer = try await test.connect()
            let rule = MatchRule(sender: "org.freedesktop.DBus", member: "NameOwnerChanged")
            let changes = try await observer.signals(matching: rule)
            var dropped: Bus? = try await Bus.open(test.daemon.address, on: test.loop)
            let name = await dropped?.uniqueName
            dropped = nil
            let left = try await changes.first { $0.arguments[0].string == name && $0.arguments[2].string == "" }
            #expect(left != nil)
        }
    }
}

/// A listening socket whose clients are never answered.
private struct SilentSocket {
    let address: String
    private let descriptor: Int32
    private let path: String

    init() throws {
        var directory = Array("/tmp/silent.XXXXXX".utf8CString)
        _ = mkdtemp(&directory)
        path = directory.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" } + "/socket"
        address = "unix:path=" + path
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(descriptor, 8) == 0 else { throw Errno.last }
    }

    func close() {
        Glibc.close(descriptor)
        unlink(path)
        rmdir(String(path.dropLast("/socket".count)))
    }
}
