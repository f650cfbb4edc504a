import Testing

@testable import StripModel

@Suite struct ColorNamesTests {
    @Test func thereAre148NamesInOrder() {
        #expect(ColorNames.all.count == 148)
        #expect(ColorNames.all == ColorNames.all.sorted())
        #expect(Set(ColorNames.all).count == 148)
    }

    @Test func everyNameIsFoundInAnyCaseAndIsNotHex() throws {
        for name in ColorNames.all {
            let value = try #require(ColorNames.value(of: name))
            let color = Color(red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
            #expect(try Color(parsing: name) == color)
            #expect(try Color(parsing: name.uppercased()) == color)
            #expect(try Color(parsing: " " + name.map(String.init).joined(separator: " ")) == color)
            #expect(!name.utf8.allSatisfy { $0.hexDigit != nil })
        }
    }

    @Test("Grey has both spellings", arguments: ["", "dark", "darkslate", "dim", "light", "lightslate", "slate"])
    func bothGreys(prefix: String) {
        #expect(ColorNames.value(of: prefix + "gray") == ColorNames.value(of: prefix + "grey"))
    }

    @Test("Neighbours and ends of the table", arguments: ["", "a", "zzz", "aliceblu", "aliceblues", "yellowgreen1"])
    func noSuchName(text: String) {
        #expect(ColorNames.value(of: text) == nil)
    }
}
