#if canImport(CLibcurl)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    @Suite("CurlTransport, ordinary work", .timeLimit(.minutes(1)))
    struct CurlTransportTests {
        @Test
        func aGetBringsStatusHeadersAndContent() async throws {
            let server = try RawServer { _ in .json(#"{"id":1}"#) }
            let response = try await curl().get(server.url("/a?b=c"))
            #expect(response.status == 200)
            #expect(response.headers["content-type"] == "application/json")
            #expect(response.body == Data(#"{"id":1}"#.utf8))
            #expect(server.requests.first?.target == "/a?b=c")
        }
    }
#endif
