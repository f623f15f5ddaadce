#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing
    @testable import SimpleNetworkingCore

    /// A handle that is used again for an origin gives libcurl the parts of the URL, which must send what the URL says.
    @Suite("CurlTransport, URLs in parts", .timeLimit(.minutes(5)))
    struct CurlTargetTests {
        private static let targets = [
            "/", "/x", "/x?a=b", "/x?a=b&c", "/x?", "/?", "/?a", "//x", "/a//b/", "/./a/../b", "/..", "/x?a/../b",
            "/x?a?b", "/x?/", "/a;b=c,d!$&'()*+:@-._~", "/x?a;b=c,d!$&'()*+:@-._~", "/%2F%2f%C3%a9", "/x?q=%C3%a9%2F",
            "/%41?%41", "/x?a=" + String(repeating: "b", count: 5000),
        ]

        @Test(arguments: targets)
        func theTargetIsSentAsWritten(target: String) async throws {
            let server = try RawServer { _ in .response() }
            let transport = try curl()
            // The first ones make the parts; a query in between must not stay.
            let sent = ["/first", "/second?a=b", target, target, "/third", target, "/x?%41", target, "/last?c"]
            for target in sent { _ = try await transport.get(server.url(target)) }
            #expect(server.requests.map(\.target) == sent)
            #expect(server.log.opened == 1)
        }

        @Test
        func aFragmentIsNotSent() async throws {
            let server = try RawServer { _ in .response() }
            let transport = try curl()
            for path in ["/a", "/b", "/c#d", "/e?f#g", "/h"] { _ = try await transport.get(server.url(path)) }
            #expect(server.requests.map(\.target) == ["/a", "/b", "/c", "/e?f", "/h"])
        }

        @Test
        func eachOfSeveralOriginsGetsItsOwnRequests() async throws {
            let servers = try [RawServer { _ in .response() }, RawServer { _ in .response() }]
            let transport = try curl()
            for number in 0..<12 {
                // Some in a row, and some in turn.
                _ = try await transport.get(servers[number < 6 ? number / 3 : number % 2].url("/\(number)"))
            }
            #expect(servers[0].requests.map(\.target) == ["/0", "/1", "/2", "/6", "/8", "/10"])
            #expect(servers[1].requests.map(\.target) == ["/3", "/4", "/5", "/7", "/9", "/11"])
            for server in servers {
                #expect(server.requests.allSatisfy { $0[header: "Host"] == "127.0.0.1:\(server.port)" })
            }
        }

        @Test
        func credentialsOfOneURLAreNotSentForTheNext() async throws {
            let server = try RawServer { _ in .response() }
            let transport = try curl()
            let personal = try #require(URL(string: "http://ada:secret@127.0.0.1:\(server.port)/private"))
            for url in [server.url("/a"), server.url("/b"), personal, server.url("/c"), personal, server.url("/d")] {
                _ = try await transport.get(url)
            }
            let basic = "Basic " + Data("ada:secret".utf8).base64EncodedString()
            #expect(server.requests.map { $0[header: "Authorization"] } == [nil, nil, basic, nil, basic, nil])
            #expect(server.requests.map(\.target) == ["/a", "/b", "/private", "/c", "/private", "/d"])
        }

        @Test
        func aRequestThatIsSentAgainKeepsItsTarget() async throws {
            let server = try RawServer { request in
                request.target == "/broken?a" ? .closedIfReused(request) : .response()
            }
            let transport = try curl()
            for target in ["/a", "/b", "/c", "/broken?a", "/d", "/e", "/broken?a", "/f"] {
                _ = try await transport.get(server.url(target))
            }
            let broken = ["/broken?a", "/broken?a"]
            #expect(server.requests.map(\.target) == ["/a", "/b", "/c"] + broken + ["/d", "/e"] + broken + ["/f"])
        }

        @Test
        func aProxyGetsEachWholeURL() async throws {
            let proxy = try RawServer { _ in .response() }
            let transport = try curl { $0.proxy = CurlConfiguration.Proxy(proxy.url()) }
            let urls = ["/a", "/b?c", "/d/../e", "/%2f", "/g"].map { "http://host.invalid:81\($0)" }
            for url in urls { _ = try await transport.get(#require(URL(string: url))) }
            #expect(proxy.requests.map(\.target) == urls)
        }

        /// The last proxy sends `*` (RFC 9112 §3.2.4).
        @Test
        func aProxyGetsTheServerWhoseOptionsAreAskedFor() async throws {
            let proxy = try RawServer { _ in .response() }
            let transport = try curl { $0.proxy = CurlConfiguration.Proxy(proxy.url()) }
            for url in ["http://host.invalid:81/*", "http://ada:secret@host.invalid/*", "http://host.invalid/x"] {
                _ = try await transport.get(#require(URL(string: url)), method: .options)
            }
            let targets = ["http://host.invalid:81", "http://host.invalid", "http://host.invalid/x"]
            #expect(proxy.requests.map(\.target) == targets)
        }
    }
#endif
