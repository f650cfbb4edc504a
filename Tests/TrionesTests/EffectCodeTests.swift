import Testing
import Triones

@Suite struct EffectCodeTests {
    @Test("users.md 105: only 25 to 38 and 61 to 63 are effects", arguments: UInt8.min...UInt8.max)
    func rangeOfCodes(value: UInt8) {
        let isEffect = [0x25...0x38, 0x61...0x63].contains { $0.contains(value) }
        #expect((EffectCode(rawValue: value) != nil) == isEffect)
    }

    @Test func allCasesAreAllCodesInOrder() {
        #expect(EffectCode.allCases.map(\.rawValue) == Array(0x25...0x38) + [0x61, 0x62, 0x63])
    }
}
