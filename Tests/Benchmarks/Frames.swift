// What a frame costs: compiled together with Sources/Triones, prints nanoseconds for one encoding and one decoding.
//   frames ROUNDS           (run under mallocs.so with two numbers of rounds, the difference is what they allocate)
import Glibc

@main struct Frames {
    static func main() {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
        let encode = fastest { encoding(rounds) } / Double(rounds)
        let decode = fastest { decoding(rounds) } / Double(rounds)
        print(tenths(encode), tenths(decode))
    }

    /// Every round is another colour, and every frame is looked at, so that nothing can be computed beforehand.
    @inline(never) static func encoding(_ rounds: Int) -> UInt64 {
        var sum: UInt64 = 0
        for round in 0..<rounds {
            let frame = Frame(
                .color(red: UInt8(truncatingIfNeeded: round), green: 0x88, blue: UInt8(truncatingIfNeeded: round >> 8)))
            sum &+= UInt64(frame[1]) &+ UInt64(frame[6]) &+ UInt64(frame.count)
        }
        return sum
    }

    @inline(never) static func decoding(_ rounds: Int) -> UInt64 {
        var bytes: [UInt8] = [0x66, 0x15, 0x23, 0x41, 0x20, 0x10, 0xff, 0x88, 0x00, 0x00, 0x06, 0x99]
        var sum: UInt64 = 0
        for round in 0..<rounds {
            bytes[6] = UInt8(truncatingIfNeeded: round)
            if case .status(let status)? = try? Report(decoding: bytes.span) {  // a refusal shows as a sum of 0
                sum &+= UInt64(status.red) &+ UInt64(status.green)
            }
        }
        guard sum > 0 || rounds < 2 else {
            print("the status was refused")
            exit(1)
        }
        return sum
    }

    /// Nanoseconds of the least disturbed one of five runs.
    static func fastest(_ body: () -> UInt64) -> Double {
        (0..<5).map { _ -> Double in
            let start = now()
            blackHole = blackHole &+ body()
            return Double(now() - start)
        }.min() ?? 0
    }

    nonisolated(unsafe) static var blackHole: UInt64 = 0

    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    static func tenths(_ value: Double) -> String { "\(Double(Int(value * 10 + 0.5)) / 10)" }
}
