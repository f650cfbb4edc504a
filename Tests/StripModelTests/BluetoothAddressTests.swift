import FoundationEssentials
import StripModel
import Testing

@Suite struct BluetoothAddressTests {
    @Test(
        "Any spelling is the same address",
        arguments: [
            "ff:ff:38:5b:40:65", "FF:FF:38:5B:40:65", "ff-ff-38-5b-40-65", "FF_FF_38_5B_40_65", "ffff385b4065",
            "FFFF385B4065",
            "dev_FF_FF_38_5B_40_65", " ff:ff:38:5b:40:65\n",
        ])
    func spellings(text: String) throws {
        let address = try #require(BluetoothAddress(text))
        #expect(address.description == "ff:ff:38:5b:40:65")
        #expect(address.bluez == "FF:FF:38:5B:40:65")
    }

    @Test(
        "What is no address is refused",
        arguments: [
            "", "ff:ff:38:5b:40", "ff:ff:38:5b:40:65:00", "ff:ff:38:5b:40:6", "ff:ff:38:5b:40:6g", "ff:ff-38:5b:40:65",
            "ffff385b406", "ffff385b40655", "dev_ffff385b4065", "dev_ff:ff:38:5b:40:65", "ff.ff.38.5b.40.65",
            ":::::::::::::::::",
            "ff:ff:38:5b:40:\u{ff16}5", "Triones-FFFF385B4065", "f:ff:f38:5b:40:65", "ff ff 38 5b 40 65",
        ])
    func refused(text: String) {
        #expect(BluetoothAddress(text) == nil)
        let error = #expect(throws: InvalidValue.self) { try BluetoothAddress(parsing: text) }
        #expect(error?.text == text)
    }

    @Test func addressesAreOrderedAsTheyAreWritten() throws {
        let texts = [
            "00:00:00:00:00:01", "01:00:00:00:00:00", "0a:00:00:00:00:00", "ff:ff:00:00:81:19", "ff:ff:38:5b:40:65",
        ]
        #expect(try texts.reversed().map(BluetoothAddress.init(parsing:)).sorted().map(\.description) == texts)
    }

    @Test func inJSONItIsItsText() throws {
        let address = try JSONDecoder().decode(BluetoothAddress.self, from: Data("\"FFFF385B4065\"".utf8))
        #expect(String(decoding: try JSONEncoder().encode(address), as: UTF8.self) == "\"ff:ff:38:5b:40:65\"")
    }
}
