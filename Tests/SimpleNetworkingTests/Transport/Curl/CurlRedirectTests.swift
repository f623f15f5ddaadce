#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing
    @testable import SimpleNetworkingCore

    @Suite("CurlTransport, redirects", .timeLimit(.minutes(5)))
    struct CurlRedirectTests {
        /// What follows `Location: /there` in a redirect, so that its content is broken.
        static let broken = [
            "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain", "Content-Length: 50\r\n\r\nshort",
            "Transfer-Encoding: chunked\r\n\r\nno chunk",
            "Content-Length: 5000\r\n\r\n" + String(repeating: "x", count: 5000),
            "\r\n" + String(repeating: "x", count: 5000),
            "Content-Encoding: unknown\r\nContent-Length: 5\r\n\r\nplain",
        ]

        private func client(
            to location: String = "/there",
            _ fields: String,
            _ policy: RedirectPolicy,
            status: Int = 302,
            end: RawServer.Reply.End = .close
        ) throws -> (RawServer, SimpleNetworking) {
            let server = try RawServer { request in
                guard request.path == "/here" else { return .response(body: "there") }
                return .raw("HTTP/1.1 \(status) Status\r\nLocation: \(location)\r\n\(fields)", end: end)
            }
            let client = try Engine.curl.client(server) {
                $0.redirectPolicy = policy
                $0.maxResponseSize = 1000
            }
            return (server, client)
        }

        @Test(arguments: broken)
        func aRedirectIsFollowedWhateverItsContent(fields: String) async throws {
            let (server, client) = try client(fields, .follow)
            #expect(try await client.send(SimpleNetworking.get("/here")).text == "there")
            #expect(server.requests.map(\.target) == ["/here", "/there"])
        }

        @Test(arguments: ["Content-Length: 50\r\n\r\nshort", "\r\nno length", "Transfer-Encoding: chunked\r\n\r\n"])
        func aRedirectIsFollowedThoughItsContentNeverEnds(fields: String) async throws {
            let (server, client) = try client(fields, .follow, end: .silence)
            #expect(try await client.send(SimpleNetworking.get("/here")).text == "there")
            #expect(server.requests.map(\.target) == ["/here", "/there"])
        }

        @Test(arguments: [0, 5000, 64 << 10])
        func theConnectionIsUsedAgainAfterARedirectWithLittleContent(size: Int) async throws {
            let content = String(repeating: "x", count: size)
            let (server, client) = try client("Content-Length: \(size)\r\n\r\n\(content)", .follow, end: .keepAlive)
            #expect(try await client.send(SimpleNetworking.get("/here")).text == "there")
            #expect(server.log.opened == 1)
        }

        @Test
        func aRedirectWithMuchContentIsNotReadToItsEnd() async throws {
            let content = String(repeating: "x", count: 8 << 20)
            let fields = "Content-Length: \(content.utf8.count)\r\n\r\n\(content)"
            let (server, client) = try client(fields, .follow, end: .keepAlive)
            #expect(try await client.send(SimpleNetworking.get("/here")).text == "there")
            #expect(server.log.opened == 2)
        }

        @Test(arguments: broken.prefix(5))
        func aRedirectThatIsNotFollowedHasWholeContentOrAnError(fields: String) async throws {
            let (server, client) = try client(fields, .never)
            let error = await client.get("/here").ended().error
            #expect(error.map(name(of:)) == (fields.count > 1000 ? "tooLarge" : "networkingError"))
            #expect(server.requests.count == 1)
        }

        @Test(arguments: [200, 300, 304, 305, 306, 400, 302])
        func whatIsNoRedirectHasWholeContentOrAnError(status: Int) async throws {
            let location = status == 302 ? "" : "/there"
            let (server, client) = try client(to: location, "Content-Length: 50\r\n\r\nshort", .follow, status: status)
            let error = await client.get("/here").ended().error
            #expect(error.map(name(of:)) == (status == 304 ? "invalidResponse" : "networkingError"))
            #expect(server.requests.count == 1)
        }
    }
#endif
