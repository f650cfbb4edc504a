import StripModel
import Testing

@Suite struct NameVerdictTests {
    @Test(
        "users.md 26: what a name says",
        arguments: [
            ("Triones-FFFF385B4065", .strip), ("Triones:C10511000166", .strip), ("TRIONES~1", .strip),
            ("triones", .strip),
            ("QHM-5C8A", .strip), ("qhm-s281", .strip), ("LEDBlue-C2AF4BD5", .strip), ("LEDBLE-01-1234", .strip),
            ("ledble", .strip),
            ("LEDnetWF0200A3B4", .other), ("LEDnet33", .other), ("ELK-BLEDOM", .other), ("ELK-BLEDOB", .other),
            ("MELK-OA10", .other),
            ("BJ_LED_M", .other), ("IOTBT123", .other), ("IDL-X", .other), ("ISP-1", .other), ("L7161", .other),
            ("LEDnet-B4994C", .maybe), ("Dream~1234", .maybe), ("AP-3215A99950FF", .maybe), ("BLE-LED", .maybe),
            ("Headphones", .maybe), ("", .maybe), (nil, .maybe), ("A1-B2-C3-D4-E5-F6", .maybe), ("My Triones", .maybe),
        ] as [(String?, NameVerdict)])
    func verdict(name: String?, verdict: NameVerdict) {
        #expect(NameVerdict(name: name) == verdict)
    }
}
