import FoundationEssentials
import StripAPI
import StripModel
import Testing

@testable import StripServer

/// What is written by hand reads as what the encoder makes of the same value.
@Suite struct WrittenShapesTests {
    static let bare = StripView(id: .first)
    static let full = StripView(
        id: .first, alias: try? Alias(parsing: "desk"), name: "Triones-FFFF385B4065", model: "0x15", available: true,
        link: .backingOff, cause: .outOfRange, rssi: -52, adapter: "hci0", pending: true, isDefault: true, on: false,
        color: Color(red: 255, green: 136, blue: 0), brightness: Percent(100), white: Percent(1),
        effect: "seven-color-fade", speed: Percent(50),
        certainty: StripCertainty(
            power: Knowledge(is: .reported, at: Date(timeIntervalSince1970: 1_796_090_584)),
            light: Knowledge(is: .assumed, at: Date(timeIntervalSince1970: 1_796_090_584.9))))

    @Test func aStripThatNothingIsKnownOf() {
        #expect(
            text(encoded(Self.bare))
                == #"{"adapter":null,"alias":null,"available":null,"brightness":null,"cause":null,"certainty":{"light":{"at":null,"is":"unknown"},"power":{"at":null,"is":"unknown"}},"color":null,"default":false,"effect":null,"id":"ff:ff:38:5b:40:65","link":"idle","model":null,"name":null,"on":null,"pending":false,"rssi":null,"speed":null,"white":null}"#
        )
        #expect(text(encoded(Self.bare)) == byEncoder(Self.bare))
    }

    @Test func aStripThatEverythingIsKnownOf() {
        #expect(text(encoded(Self.full)) == byEncoder(Self.full))
    }

    @Test func outcomesAndLists() {
        for outcome in [
            Outcome(.accepted, strip: Self.bare), Outcome(.written, strip: Self.full, notes: ["one", "two"]),
            Outcome(.failed, strip: Self.full, cause: .noAnswer, detail: "It is \"mute\"."),
        ] {
            #expect(text(encoded(outcome)) == byEncoder(outcome))
        }
        for list in [[], [Self.bare], [Self.bare, Self.full]].map(StripList.init(strips:)) {
            #expect(text(encoded(list)) == byEncoder(list))
        }
    }

    @Test func anyNameIsWrittenAsTheEncoderWritesIt() {
        var names = (0..<128).compactMap { Unicode.Scalar($0) }.map { "a\(Character($0))b" }
        names += [
            "", "\"", "\\\"/", "</script>", "\u{7f}\u{80}\u{9f}", "\u{2028}\u{2029}", "é", "e\u{301}", "💡", "\u{feff}",
            "\u{fffd}",
        ]
        for name in names {
            var view = Self.bare
            view.name = name
            #expect(text(encoded(view)) == byEncoder(view), "\(name.debugDescription)")
        }
    }

    /// Chosen because it is not `JSONWritable`, so that the other `encoded` is meant.
    private struct Boxed<Value: Encodable>: Encodable {
        var value: Value
        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private func byEncoder(_ value: some Encodable) -> String { text(encoded(Boxed(value: value))) }
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
