import HTTPServer
import Testing

@Suite struct WebServerTests {
    @Test(arguments: TestServer.Transport.allCases)
    func aRequestIsAnswered(over transport: TestServer.Transport) async throws {
        try await withServer { server in
            let client = try server.connect(transport)
            client.send("GET /v1/strips?wait=20 HTTP/1.1\r\nHost: x\r\n\r\n")
            let reply = try #require(try client.reply())
            #expect(reply.status == 200)
            #expect(reply.body == "GET v1|strips [wait=20] ")
            #expect(reply.headers["content-type"] == "text/plain")
        }
    }
}
