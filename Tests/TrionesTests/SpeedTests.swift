import Testing
import Triones

@Suite struct SpeedTests {
    @Test("users.md 101: every percentage is a delay from 01 to 1f, faster never slower")
    func everyPercentage() throws {
        let delays = try (1...100).map { try #require(Speed(percent: $0)).rawValue }
        #expect(delays.first == 0x1f)
        #expect(delays.last == 0x01)
        #expect(delays[49] == 0x10)
        #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 <= 1 })
        #expect(Set(delays) == Set(0x01...0x1f))
    }

    @Test func percentageAndDelayAgreeThereAndBack() throws {
        for percent in 1...100 {
            let speed = try #require(Speed(percent: percent))
            #expect(Speed(percent: speed.percent) == speed)
            #expect(abs(speed.percent - percent) <= 2)
        }
        for delay in UInt8(0x01)...0x1f {
            let speed = try #require(Speed(rawValue: delay))
            #expect(Speed(percent: speed.percent) == speed)
        }
    }

    @Test("users.md 101: what is out of range is no speed", arguments: [0, -1, 101, .max, .min])
    func outOfRange(percent: Int) {
        #expect(Speed(percent: percent) == nil)
    }

    @Test func zeroIsNoDelay() { #expect(Speed(rawValue: 0) == nil) }

    @Test func aDelayBeyondTheSlowestReadsAsOnePercent() throws {
        for delay in UInt8(0x1f)...0xff { #expect(try #require(Speed(rawValue: delay)).percent == 1) }
    }
}
