import FoundationEssentials
import StripModel
import Testing

/// One case of `Protocol/vectors/colors.json`: text, and the colour that it is, or `null` where it is refused.
struct ColorVector: Decodable, Sendable, CustomTestStringConvertible {
    var text: String
    var color: String?

    var testDescription: String { quoted(text) }

    static func all(from here: String = #filePath) throws -> [ColorVector] {
        let root = URL(filePath: here).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: root.appending(path: "Protocol/vectors/colors.json"))
        return try JSONDecoder().decode([ColorVector].self, from: data)
    }
}

@Suite struct ColorVectorTests {
    @Test(
        "users.md 76, 78, 90: colour text means what its vector says",
        arguments: try ColorVector.all().filter { $0.color != nil })
    func accepted(_ vector: ColorVector) throws {
        #expect(try Color(parsing: vector.text).description == vector.color)
    }

    @Test(
        "users.md 77: a bad colour is refused and quoted", arguments: try ColorVector.all().filter { $0.color == nil })
    func refused(_ vector: ColorVector) {
        let error = #expect(throws: InvalidValue.self) { try Color(parsing: vector.text) }
        #expect(error?.text == vector.text)
        #expect(error?.description.hasPrefix(quoted(vector.text)) == true)
        #expect(error?.accepted.isEmpty == false)
        #expect(error?.description.unicodeScalars.contains { $0.value < 0x20 } == false, "it stays on one line")
    }
}
