import DBus
import Testing

@testable import VirtualBlueZ

@Suite("Writing", .timeLimit(.minutes(1)))
struct WritingTests {
    /// Rows of the recorded table: what the strip gets, and whether it ignores it.
    @Test(
        "users.md 53: the type of a write, by option and by flags",
        arguments: [
            (StripDescription.WriteFlags.requestAndCommand, nil, ReceivedFrame.WriteType.request, false, "ok"),
            (.requestAndCommand, "command", .command, false, "ok"),
            (.requestAndCommand, "request", .request, false, "ok"),
            (.commandOnly, nil, .command, false, "ok"),
            (.commandOnly, "command", .command, false, "ok"),
            (.commandOnly, "request", .request, true, "org.bluez.Error.NotPermitted: Write not permitted"),
            (.requestOnly, nil, .request, false, "ok"),
            (.requestOnly, "command", .command, true, "ok"),
            (.requestOnly, "request", .request, false, "ok"),
            (.requestOnly, "reliable", .request, false, "ok"),
        ] as [(StripDescription.WriteFlags, String?, ReceivedFrame.WriteType, Bool, String)])
    func types(
        _ flags: StripDescription.WriteFlags, _ option: String?, _ type: ReceivedFrame.WriteType, _ ignored: Bool,
        _ answer: String
    ) async throws {
        try await withRig(oneStrip { $0.writeFlags = flags }) { rig in
            try await rig.discoverAndConnect()
            #expect(await error { try await rig.write("cc 24 33", type: option) } == answer)
            await rig.bluez.frames(of: 0, atLeast: 1)
            #expect(
                await rig.bluez.received(by: 0) == [
                    ReceivedFrame(bytes: [0xCC, 0x24, 0x33], type: type, ignored: ignored)
                ])
            #expect(await rig.bluez.state(of: 0).on == ignored)
        }
    }

    @Test("users.md 52: a second request at once is InProgress, and its frame is lost")
    func oneRequestAtATime() async throws {
        try await withRig(World(strips: 1, timing: .fast { $0.requestReply = .milliseconds(500) })) { rig in
            try await rig.discoverAndConnect()
            async let first: Void = rig.write("56 ff 00 00 00 f0 aa")
            await rig.bluez.wait(forCalls: "WriteValue")
            #expect(
                await error { try await rig.write("56 00 ff 00 00 f0 aa") }
                    == "org.bluez.Error.InProgress: In Progress")
            try await first
            #expect(await rig.bluez.frames(of: 0) == ["56 ff 00 00 00 f0 aa"])
            try await rig.write("56 00 00 ff 00 f0 aa")
        }
    }

    @Test func aHundredCommandsAtOnceArriveInOrder() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            let sent = (0..<100).map { "56 00 00 \(hex(UInt8($0))) 00 f0 aa" }
            for frame in sent {
                await rig.bluez.assertIsolatedAndWrite(frame, from: rig)
            }
            #expect(await rig.bluez.frames(of: 0, atLeast: 100) == sent)
        }
    }

    @Test(
        "ATT errors become these",
        arguments: [
            (0x03, "org.bluez.Error.NotPermitted: Write not permitted"),
            (0x0E, "org.bluez.Error.Failed: Operation failed with ATT error: 0x0e"),
            (0x80, "org.bluez.Error.Failed: Operation failed with ATT error: 0x80"),
        ] as [(UInt8, String)])
    func attErrors(_ code: UInt8, _ answer: String) async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            await rig.bluez.failWrites(0, code: code)
            #expect(await error { try await rig.write("cc 24 33") } == answer)
            try await rig.write("cc 24 33")
            #expect(await rig.bluez.frames(of: 0) == ["cc 24 33"])
        }
    }

    @Test(
        "Writes that BlueZ refuses",
        arguments: [
            ("cc 24 33", "bogus", Rig.commands, "org.bluez.Error.NotSupported: Operation is not supported"),
            ("cc 24 33", nil, Rig.reports, "org.bluez.Error.NotSupported: Operation is not supported"),
            (
                String(repeating: "00 ", count: 21), "command", Rig.commands,
                "org.bluez.Error.Failed: Failed to initiate write"
            ),
            (String(repeating: "00 ", count: 87), "request", Rig.commands, "ok"), ("", nil, Rig.commands, "ok"),
        ] as [(String, String?, ObjectPath, String)])
    func refusals(_ frame: String, _ type: String?, _ path: ObjectPath, _ answer: String) async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            #expect(await error { try await rig.write(frame, type: type, to: path) } == answer)
        }
    }

    @Test func acquireIsNotSupportedHere() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            for path in [Rig.commands, Rig.reports] {
                let member = path == Rig.commands ? "AcquireWrite" : "AcquireNotify"
                let error = await error { try await rig.call(member, [.options([:])], on: path, .characteristic) }
                #expect(error == "org.bluez.Error.NotSupported: Operation is not supported")
            }
        }
    }

    @Test func anUnansweredRequestKillsATTAndThenTheLink() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            await rig.bluez.muteATT(0, true)
            let lines = await rig.transcript(upTo: "Connected: false}") {
                #expect(
                    await error { try await rig.write("cc 24 33") }
                        == "org.bluez.Error.Failed: Operation failed with ATT error: 0x0e")
                #expect(
                    await error { try await rig.write("cc 24 33") } == "org.bluez.Error.Failed: Not connected")
            }
            #expect(lines.last == "DEV {ServicesResolved: false, Connected: false}")
        }
    }

    @Test func readingTellsTheStatusAndSignalsIt() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            let lines = try await rig.transcript(upTo: "ReadValue: ok") {
                let reply = try await rig.onReports("ReadValue", [.options([:])])
                #expect(reply.first?.plain == "66 15 23 41 20 10 ff 00 00 00 06 99")
            }
            #expect(
                lines == [
                    "DEV/service000f/char0010 {Value: 66 15 23 41 20 10 ff 00 00 00 06 99}", "ReadValue: ok",
                ])
            #expect(
                await error { try await rig.call("ReadValue", [.options([:])], on: Rig.commands, .characteristic) }
                    == "org.bluez.Error.NotPermitted: Read not permitted")
        }
    }

    @Test("users.md 51: a link may be gone before its signal")
    func notConnectedWhileConnected() async throws {
        try await withRig { rig in
            try await rig.discoverAndConnect()
            await rig.bluez.failNext("WriteValue", with: .notConnected)
            #expect(await error { try await rig.write("cc 24 33") } == "org.bluez.Error.Failed: Not connected")
            try await rig.write("cc 24 33")
        }
    }
}

extension VirtualBlueZ {
    /// Sends a command whose answer nobody awaits, from the loop's thread, so that the order is the order of calls.
    func assertIsolatedAndWrite(_ frame: String, from rig: Rig) {
        Task(executorPreference: loop) { try await rig.write(frame, type: "command") }
    }
}
