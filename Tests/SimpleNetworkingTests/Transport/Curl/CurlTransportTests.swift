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

        enum Setting: CaseIterable {
            case caFile, clientCertificate, pins, proxy, noProxy

            var configuration: CurlConfiguration {
                let file = URL(fileURLWithPath: "/file.pem")
                var configuration = CurlConfiguration()
                switch self {
                case .caFile: configuration.caFile = file
                case .clientCertificate: configuration.clientCertificate = .init(certificate: file, key: file)
                case .pins: configuration.pinnedPublicKeys = ["pin"]
                case .proxy: configuration.proxy = CurlConfiguration.Proxy(file)
                case .noProxy: configuration.proxy = CurlConfiguration.Proxy.none
                }
                return configuration
            }
        }

        @Test(arguments: Setting.allCases)
        func noRequestIsSentWhereTheSettingsCannotHold(setting: Setting) async throws {
            let server = try RawServer { _ in .response() }
            // As without libcurl, or when memory has run out.
            let transport = try #require(CurlTransport(setting.configuration, engine: nil))
            let client = SimpleNetworking(baseURL: server.url()) {
                $0.logger = .quiet
                $0.transport = transport
            }
            let error = await client.get("/").ended().error
            #expect(error.map(name(of:)) == "invalidRequest")
            #expect(server.requests.isEmpty)
        }

        @Test
        func aTransportWithoutAnEngineIsNilIfNothingWouldBeIgnored() {
            #expect(CurlTransport(CurlConfiguration(), engine: nil) == nil)
        }

        @Test
        func aTextThatCWouldCutIsNotUsed() async throws {
            let server = try RawServer { _ in .response() }
            var configuration = CurlConfiguration()
            configuration.pinnedPublicKeys = ["a\0b"]
            let transport = try #require(CurlTransport(configuration: configuration))
            #expect(await transport.end(of: server.url()) == "invalidRequest")
            #expect(server.requests.isEmpty)
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
