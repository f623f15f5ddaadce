#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    @Suite("CurlTransport, ordinary work", .timeLimit(.minutes(5)))
    struct CurlTransportTests {
        @Test
        func thePathIsSentAsWritten() async throws {
            let server = try RawServer { _ in .response() }
            _ = try await curl().get(server.url("/a/../b?c"))
            #expect(server.requests.map(\.target) == ["/a/../b?c"])
        }

        @Test
        func itKeepsTimeoutsAndKnowsItsLibrary() throws {
            #expect(try curl().enforcesTimeouts)
            #expect(CurlTransport.libraryVersion?.isEmpty == false)
        }

        @Test
        func fieldsAreSentAsWrittenInOrder() async throws {
            let server = try RawServer { .echo($0) }
            let headers: HTTPHeaders = [
                "X-a": "1", "x-A": "2", "X-Empty": "",
            ]
            let lines = try await curl().get(server.url(), headers: headers).echoedHeaders
            #expect(
                lines.filter { $0.lowercased().hasPrefix("x-") } == ["X-a: 1", "x-A: 2", "X-Empty:"]
            )
        }

        @Test
        func blanksAroundAValueAreNoPartOfIt() async throws {
            let server = try RawServer { _ in .response(headers: ["X-Padded": " \t a b \t"]) }
            #expect(try await curl().get(server.url()).headers["X-Padded"] == "a b")
        }
    }
#endif
