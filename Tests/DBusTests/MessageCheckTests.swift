import DBus
import EventLoop
import Testing

/// libdbus ends the process for most of these: that the test goes on is half of what it says.
@Suite struct MessageCheckTests {
    private func refusal(_ call: MethodCall) async throws -> BusError {
        try await withBus { test in
            let bus = try await test.connect()
            let error = await busError { _ = try await bus.call(call) }
            _ = try await bus.owner(of: "a.b")  // the connection lives
            return error
        }
    }

    @Test(
        "malformed names",
        arguments: [
            ("", "a.b", "M"), ("x", "a.b", "M"), ("a b.c", "a.b", "M"), ("a.b\0c", "a.b", "M"), ("a..b", "a.b", "M"),
            (String(repeating: "a", count: 300) + ".b", "a.b", "M"), ("ä.b", "a.b", "M"),
            ("a.b", "", "M"), ("a.b", "a", "M"), ("a.b", ".a.b", "M"), ("a.b", "a.b\0", "M"), ("a.b", "a.1b", "M"),
            ("a.b", "a.b", ""), ("a.b", "a.b", "a.b"), ("a.b", "a.b", "1"), ("a.b", "a.b", "M\0"),
            ("a.b", "a.b", "M-N"),
            ("a.b", "a.b", String(repeating: "M", count: 256)),
        ])
    func names(destination: String, interface: String, member: String) async throws {
        let call = MethodCall(to: destination, path: "/", interface: interface, member: member)
        #expect(try await refusal(call).name == "org.freedesktop.DBus.Error.InvalidArgs")
    }

    @Test(
        "malformed values",
        arguments: [
            DBusValue.string("a\0b"), .signature("z"), .signature("a"), .signature("(s"), .signature("{sv}"),
            .signature("s\0"), .signature(String(repeating: "s", count: 256)), .structure([]),
            .structure([.structure([])]), .variant(.structure([])), .variant(.string("\0")),
            .array(element: "", []), .array(element: "ss", []), .array(element: "{sv}", []), .array(element: "z", []),
            .array(element: "s\0x", []), .array(element: "s", [.int32(1)]),
            .array(element: "s", [.string("x"), .bool(true)]),
            .array(element: "as", [.array(element: "i", [])]), .array(element: "v", [.variant(.signature("("))]),
            .array(element: "(", []), .array(element: "()", []),
            .dict(signature: "", []), .dict(signature: "y", []), .dict(signature: "sv", []),
            .dict(signature: "{sv", []), .dict(signature: "{vs}", []), .dict(signature: "{s}", []),
            .dict(signature: "{sss}", []), .dict(signature: "{sv}{sv}", []), .dict(signature: "{sv}\0", []),
            .dict(signature: "{sv}", [(.string("k"), .string("not a variant"))]),
            .dict(signature: "{ss}", [(.int32(1), .string("v"))]),
            nested(40) { .variant($0) }, nested(40) { .structure([$0]) }, nested(1000) { .variant($0) },
            nested(40) { .array(element: $0.signature, [$0]) },
            .structure([DBusValue](repeating: .byte(0), count: 254)),
            .variant(.structure([DBusValue](repeating: .string(""), count: 300))),
            .descriptor(OwnedDescriptor(adopting: -1)),
        ])
    func values(value: DBusValue) async throws {
        let error = try await refusal(.test("Malformed", [value]))
        #expect(
            ["org.freedesktop.DBus.Error.InvalidArgs", "org.freedesktop.DBus.Error.LimitsExceeded"].contains(
                error.name),
            "\(error)")
    }

    @Test func tooManyArgumentsAreRefused() async throws {
        let error = try await refusal(.test("Many", [DBusValue](repeating: .byte(1), count: 256)))
        #expect(error.name == "org.freedesktop.DBus.Error.InvalidArgs")
    }

    @Test("a message that the bus would hang up on", arguments: [[17 << 20], [6 << 20, 6 << 20, 6 << 20]])
    func largeMessages(sizes: [Int]) async throws {
        let arguments = sizes.map { DBusValue.bytes([UInt8](repeating: 0, count: $0)) }
        #expect(try await refusal(.test("Large", arguments)).name == "org.freedesktop.DBus.Error.LimitsExceeded")
    }

    @Test func theLargestMessagesThatWeTakeArrive() async throws {
        let size = try await withBus(limits: ["max_message_size": 33_554_432]) { test in
            try await test.serve { [.int64(Int64($0.arguments[0].bytes?.count ?? 0))] }
            let bytes = [UInt8](repeating: 7, count: (16 << 20) - 16)
            return try await test.connect().call(.test("Large", [.bytes(bytes)])).first?.int
        }
        #expect(size == (16 << 20) - 16)
    }

    @Test func theDeepestAndWidestValuesThatWeTakeArrive() async throws {
        for value in [
            nested(31) { .variant($0) }, nested(31) { .structure([$0]) },
            nested(31) { .array(element: $0.signature, [$0]) },
            nested(31) { .dict(signature: "{s\($0.signature)}", [(.string("key"), $0)]) },
            nested(15) { .options(["key": $0]) },
            .structure([DBusValue](repeating: .byte(0), count: 253)),
        ] {
            let reply = try await withBus { test in
                try await test.serve { $0.arguments }
                return try await test.connect().call(.test("Echo", [value]))
            }
            #expect(reply == [value])
        }
    }

    @Test func tooManyDescriptorsAreRefused() async throws {
        let descriptors = (0..<17).map { _ in DBusValue.descriptor(OwnedDescriptor(adopting: -1)) }
        let error = try await refusal(.test("Many", descriptors))
        #expect(error.name == "org.freedesktop.DBus.Error.LimitsExceeded")
    }

    @Test(
        "malformed signals",
        arguments: [
            Signal(path: "/", interface: "a", member: "M"), Signal(path: "/", interface: "a.b", member: "M M"),
            Signal(path: "/", interface: "org.freedesktop.DBus.Local", member: "Disconnected"),
            Signal(path: "/org/freedesktop/DBus/Local", interface: "a.b", member: "M"),
            Signal(path: "/", interface: "a.b", member: "M", arguments: [.structure([])]),
        ])
    func signals(signal: Signal) async throws {
        let error = try await withBus { test in
            let bus = try await test.connect()
            let error = await busError { try await bus.emit(signal) }
            _ = try await bus.owner(of: "a.b")
            return error
        }
        #expect(error.name == "org.freedesktop.DBus.Error.InvalidArgs")
    }
}

/// A string in `depth` containers.
private func nested(_ depth: Int, _ wrap: (DBusValue) -> DBusValue) -> DBusValue {
    (0..<depth).reduce(.string("core")) { value, _ in wrap(value) }
}
