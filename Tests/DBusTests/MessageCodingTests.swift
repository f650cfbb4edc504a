import DBus
import EventLoop
import Glibc
import Testing

@Suite struct MessageCodingTests {
    /// What comes back from a service that answers with its arguments.
    private func echo(_ values: [DBusValue]) async throws -> [DBusValue] {
        try await withBus { test in
            try await test.serve { $0.arguments }
            return try await test.connect().call(.test("Echo", values))
        }
    }

    @Test(
        "a value comes back as it went",
        arguments: [
            DBusValue.bool(true), .bool(false), .byte(0), .byte(255), .int16(.min), .int16(.max), .uint16(.max),
            .int32(.min), .uint32(.max), .int64(.min), .uint64(.max), .double(-0.5), .double(.infinity),
            .double(.leastNonzeroMagnitude), .string(""), .string("grün 💡"), .objectPath("/"),
            .objectPath("/org/bluez/hci0/dev_FF_FF_38_5B_40_65"), .signature(""), .signature("a{sv}(ii)"),
            .bytes([]), .bytes([0]), .bytes([UInt8](0...255)),
            .array(element: "s", []), .array(element: "a{sv}", []), .array(element: "(iay)", []),
            .array(element: "v", []),
            .array(element: "b", [.bool(true), .bool(false)]), .array(element: "q", [.uint16(1), .uint16(2)]),
            .array(element: "d", [.double(1), .double(2)]), .array(element: "x", [.int64(-1), .int64(1)]),
            .array(element: "ay", [.bytes([]), .bytes([1, 2])]), .strings(["a", "", "c"]),
            .dict(signature: "{sv}", []), .dict(signature: "{ya(so)}", []),
            .dict(signature: "{qv}", [(.uint16(0x5456), .variant(.bytes([1])))]),
            .dict(signature: "{ss}", [(.string("same"), .string("one")), (.string("same"), .string("two"))]),
            .dict(
                signature: "{oa{sa{sv}}}",
                [
                    (
                        .objectPath("/org/bluez"),
                        .dict(
                            signature: "{sa{sv}}",
                            [(.string("org.bluez.Device1"), .options(["RSSI": .int16(-60), "UUIDs": .strings([])]))])
                    ), (.objectPath("/empty"), .dict(signature: "{sa{sv}}", [])),
                ]),
            .structure([.byte(1), .uint64(2), .byte(3)]), .structure([.structure([.structure([.string("deep")])])]),
            .variant(.string("x")), .variant(.variant(.variant(.bytes([9])))),
            .variant(.array(element: "v", [.variant(.byte(1)), .variant(.strings(["x"]))])),
        ])
    func values(value: DBusValue) async throws {
        #expect(try await echo([value]) == [value])
    }

    @Test func alignmentAndOrderOfManyArgumentsAreKept() async throws {
        let values: [DBusValue] = [
            .byte(1), .int64(2), .byte(3), .structure([.byte(4)]), .bytes([5]), .double(6), .bool(true), .string("7"),
        ]
        #expect(try await echo(values) == values)
    }

    @Test func noArgumentsAreNoArguments() async throws {
        #expect(try await echo([]) == [])
    }

    @Test func anArrayOfSingleBytesComesBackAsBytes() async throws {
        #expect(try await echo([.array(element: "y", [.byte(1), .byte(2)])]) == [.bytes([1, 2])])
    }

    @Test("any value comes back as it went", arguments: [1, 2, 3, 20_261_201] as [UInt64])
    func randomValues(seed: UInt64) async throws {
        try await withBus { test in
            try await test.serve { $0.arguments }
            let bus = try await test.connect()
            var random = SplitMix(state: seed)
            for round in 0..<250 {
                let values = (0..<Int.random(in: 1...3, using: &random)).map { _ in DBusValue.random(using: &random) }
                let reply = try await bus.call(.test("Echo", values))
                #expect(reply == values, "seed \(seed), round \(round)")
            }
        }
    }

    @Test func anArrivingDescriptorIsADuplicateOfOurOwn() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (OwnedDescriptor(adopting: ends[0]), OwnedDescriptor(adopting: ends[1]))
        let reply = try await echo([.descriptor(writing), .array(element: "h", [.descriptor(writing)])])
        let first = try #require(reply[0].descriptor)
        let second = try #require(reply[1].array?.first?.descriptor)
        #expect(Set([writing.raw, first.raw, second.raw]).count == 3)
        #expect(fcntl(first.raw, F_GETFD) & FD_CLOEXEC != 0)
        #expect(write(second.raw, "hi", 2) == 2)
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(reading.raw, &bytes, 8) == 2)
    }

    @Test("users.md 68: a reply that is dropped leaves no descriptor behind")
    func droppedDescriptors() async throws {
        let closed = try await withBus { test in
            try await test.serve { $0.arguments }
            let bus = try await test.connect()
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw Errno.last }
            let reading = OwnedDescriptor(adopting: ends[0])
            do {
                let writing = OwnedDescriptor(adopting: ends[1])
                for _ in 0..<50 { _ = try await bus.call(.test("Echo", [.descriptor(writing)])) }
            }
            // The bus may still hold one that it has just passed on: after another round trip through both it does not.
            _ = try await bus.call(.test("Echo"))
            var byte: UInt8 = 0
            return read(reading.raw, &byte, 1) == 0  // the end of the file: every writing end is closed
        }
        #expect(closed)
    }
}

/// A small generator with a seed (Steele, Lea and Flood, "Fast splittable pseudorandom number generators").
struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension DBusValue {
    /// A value without descriptors and NaN, which are not equal to their copies.
    static func random(using random: inout SplitMix) -> DBusValue {
        Shape.random(depth: 0, using: &random).value(depth: 0, using: &random)
    }
}

/// A type: chosen first, so that all elements of an array have the same.
private indirect enum Shape {
    case basic(Character)
    case variant
    case array(Shape)
    case dict(Character, Shape)
    case structure([Shape])

    static let basics = Array("bynqiuxtdsog")

    static func random(depth: Int, using random: inout SplitMix) -> Shape {
        let basic = basics.randomElement(using: &random) ?? "s"
        guard depth < 4 else { return .basic(basic) }
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1, 2, 3: return .basic(basic)
        case 4: return .variant
        case 5: return .array(.basic("y"))
        case 6: return .array(Shape.random(depth: depth + 1, using: &random))
        case 7: return .dict(basic, Shape.random(depth: depth + 1, using: &random))
        default:
            let count = Int.random(in: 1...3, using: &random)
            return .structure((0..<count).map { _ in Shape.random(depth: depth + 1, using: &random) })
        }
    }

    var signature: String {
        switch self {
        case .basic(let code): String(code)
        case .variant: "v"
        case .array(let element): "a" + element.signature
        case .dict(let key, let value): "a{\(key)\(value.signature)}"
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        }
    }

    func value(depth: Int, using random: inout SplitMix) -> DBusValue {
        let count = Int.random(in: 0...3, using: &random)
        switch self {
        case .basic(let code): return basic(code, using: &random)
        case .variant:
            return .variant(Shape.random(depth: depth + 1, using: &random).value(depth: depth + 1, using: &random))
        case .array(.basic("y")): return .bytes((0..<count * 5).map { _ in UInt8.random(in: 0...255, using: &random) })
        case .array(let element):
            return .array(
                element: element.signature, (0..<count).map { _ in element.value(depth: depth + 1, using: &random) })
        case .dict(let key, let value):
            return .dict(
                signature: "{\(key)\(value.signature)}",
                (0..<count).map { _ in
                    (basic(key, using: &random), value.value(depth: depth + 1, using: &random))
                })
        case .structure(let fields): return .structure(fields.map { $0.value(depth: depth + 1, using: &random) })
        }
    }

    private func basic(_ code: Character, using random: inout SplitMix) -> DBusValue {
        switch code {
        case "b": .bool(.random(using: &random))
        case "y": .byte(.random(in: 0...255, using: &random))
        case "n": .int16(.random(in: .min ... .max, using: &random))
        case "q": .uint16(.random(in: .min ... .max, using: &random))
        case "i": .int32(.random(in: .min ... .max, using: &random))
        case "u": .uint32(.random(in: .min ... .max, using: &random))
        case "x": .int64(.random(in: .min ... .max, using: &random))
        case "t": .uint64(.random(in: .min ... .max, using: &random))
        case "d": .double(.random(in: -1e9...1e9, using: &random))
        case "o": .objectPath(["/", "/a", "/a_1/B", "/org/bluez/hci0"].randomElement(using: &random) ?? "/")
        case "g": .signature(["", "s", "a{sv}", "(ii)"].randomElement(using: &random) ?? "")
        default: .string(["", "x", "ü", "💡 light", "line\nbreak"].randomElement(using: &random) ?? "")
        }
    }
}
