import FoundationEssentials
import HTTPServer
import StripAPI

extension HTTPResponse {
    /// A JSON body. Members come sorted, so that the same state is the same text.
    static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, type: "application/json", encoded(value))
    }

    static func json(_ value: some JSONWritable, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, type: "application/json", encoded(value))
    }

    static func problem(_ problem: Problem, extra: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(status: problem.status, type: Problem.mediaType, encoded(problem), extra: extra)
    }

    private init(status: Int, type: String, _ text: [UInt8], extra: [(String, String)] = []) {
        let headers = [("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]
        self.init(status: status, headers: headers + extra, body: .bytes(text + [UInt8(ascii: "\n")]))
    }
}

/// JSON on one line.
func encoded(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
        return Array(try encoder.encode(value))
    } catch {
        // Only a number that JSON cannot express could fail, and no shape of the API holds a fraction.
        return Array(#"{"type":"urn:stripd:internal-error","status":500}"#.utf8)
    }
}
