import HTTPServer
import Testing

@Suite struct HTTPRequestTests {
    static let paths: [(String, [String]?)] = [
        ("/", []),
        ("/v1/strips", ["v1", "strips"]),
        ("/v1/strips/ff%3a38", ["v1", "strips", "ff:38"]),
        ("/caf%C3%A9", ["café"]),
        ("/a%2Fb", ["a/b"]),
        ("/a+b", ["a+b"]),
        ("/...", ["..."]),
        ("", nil),
        ("*", nil),
        ("http://x/v1", nil),
        ("//", nil),
        ("/v1/", nil),
        ("/v1//strips", nil),
        ("/v1/./strips", nil),
        ("/v1/../strips", nil),
        ("/v1/%2e%2E/strips", nil),
        ("/v1/%00", nil),
        ("/v1%00/strips", nil),
        ("/v1/%", nil),
        ("/v1/%4", nil),
        ("/v1/%4g", nil),
        ("/v1/%ff", nil),
        ("/v1/%C3", nil),
        ("/v1/%ED%A0%80", nil),
        ("/v1/%C0%AE%C0%AE", nil),
    ]

    @Test(arguments: paths)
    func aPathIsCutIntoDecodedSegmentsOrRefused(path: String, segments: [String]?) {
        let request = HTTPRequest(method: "GET", path: path, peer: .tcp(address: "127.0.0.1"))
        #expect(request.pathSegments() == segments)
    }

    @Test func headersKeepTheirOrderAndDuplicates() {
        let headers: HTTPHeaders = ["Accept": "a", "Host": "x", "ACCEPT": "b"]
        #expect(headers["accept"] == "a")
        #expect(headers.values(of: "accept") == ["a", "b"])
        #expect(headers["origin"] == nil)
        #expect(headers.map(\.name) == ["accept", "host", "accept"])
    }
}
