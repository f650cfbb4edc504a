import Testing
import Triones

/// Every golden vector, through the codec.
@Suite struct VectorTests {
    @Test(
        "users.md 88: each command has exactly the bytes of its vector", arguments: try Vector.all(in: "commands.json"))
    func commandVector(_ vector: Vector) throws {
        let command = try Command(try #require(vector.command))
        if vector.direction != .decode { #expect(Frame(command).description == vector.frame) }
        if vector.direction != .encode { #expect(try Command(decoding: try bytes(vector.frame)) == command) }
        if vector.direction == .decode {
            #expect(vector.tolerance != nil, "what is only decoded is a tolerance, and says why")
        }
    }

    @Test("users.md 64: each report is read as its vector says", arguments: try Vector.all(in: "status.json"))
    func statusVector(_ vector: Vector) throws {
        let expected: Report =
            if let acknowledged = vector.acknowledged {
                .powerAcknowledged(Power(acknowledged))
            } else {
                .status(try Status(try #require(vector.status)))
            }
        #expect(try Report(decoding: try bytes(vector.frame)) == expected)
    }

    @Test(
        "users.md 63: each malformed frame, and each of a relative, is refused for its vector's reason",
        arguments: try Vector.all(in: "malformed.json") + Vector.all(in: "relatives.json")
            + Vector.all(in: "clock-and-timers.json"))
    func refusedVector(_ vector: Vector) throws {
        let frame = try bytes(vector.frame)
        let error = #expect(throws: FrameError.self) {
            switch try #require(vector.as) {
            case .command: _ = try Command(decoding: frame)
            case .report: _ = try Report(decoding: frame)
            }
        }
        let found =
            switch error?.problem {
            case .length: "length"
            case .byte(let offset, _): "byte \(offset)"
            case nil: "none"
            }
        #expect(found == vector.error)
        #expect(error?.frame == frame)
    }

    @Test func noTwoVectorsShareAName() throws {
        let names = try ["commands", "status", "malformed", "relatives", "clock-and-timers"]
            .flatMap { try Vector.all(in: $0 + ".json") }.map(\.name)
        #expect(names.count == Set(names).count)
        #expect(names.count > 150)
    }

    @Test func everyEffectHasAVector() throws {
        let effects = try Vector.all(in: "commands.json").compactMap { $0.command?.effect }
        for code in EffectCode.allCases { #expect(effects.contains(String(code.rawValue, radix: 16))) }
    }
}
