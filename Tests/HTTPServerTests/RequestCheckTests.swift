import Testing

@testable import HTTPServer

@Suite struct RequestCheckTests {
    static let targets: [(String, String?, String)] = [
        ("/v1", "/v1", ""),
        ("/v1?", "/v1", ""),
        ("/v1?wait=20", "/v1", "wait=20"),
        ("/v1?wait", "/v1", "wait="),
        ("/v1?a=1&a=2&&b=", "/v1", "a=1&a=2&b="),
        ("/v1?a=b=c", "/v1", "a=b=c"),
        ("/v1?a=%2B10+%26", "/v1", "a=+10 &"),
        ("/v1?a=?", "/v1", "a=?"),
        ("/v1%3Fa?b=1", "/v1%3Fa", "b=1"),
        ("/v1?a=%", nil, ""),
        ("/v1?%zz=1", nil, ""),
        ("/v1?a=%00", nil, ""),
        ("/v1?a=%ff", nil, ""),
    ]

    @Test(arguments: targets)
    func aTargetIsSplitAtItsFirstQuestionMark(target: String, path: String?, query: String) {
        let split = RequestCheck.split(target: target)
        #expect(split?.path == path)
        #expect((split?.query ?? []).map { "\($0.name)=\($0.value)" }.joined(separator: "&") == query)
    }
}
