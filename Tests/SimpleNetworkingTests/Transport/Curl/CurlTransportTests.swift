#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import SimpleNetworkingSupport
    import Testing
    @testable import SimpleNetworkingCore

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
            case caFile, clientCertificate, pins, proxy, noProxy, addresses, sockets, interface, keyLog

            var configuration: CurlConfiguration {
                let file = URL(fileURLWithPath: "/file.pem")
                var configuration = CurlConfiguration()
                switch self {
                case .caFile: configuration.caFile = file
                case .clientCertificate: configuration.clientCertificate = .init(certificate: file, key: file)
                case .pins: configuration.pinnedPublicKeys = ["pin"]
                case .proxy: configuration.proxy = CurlConfiguration.Proxy(file)
                case .noProxy: configuration.proxy = CurlConfiguration.Proxy.none
                case .addresses: configuration.addresses = ["h.example": ["127.0.0.1"]]
                case .sockets: configuration.unixSockets = ["h.example": file]
                case .interface: configuration.interface = "lo"
                case .keyLog: configuration.keyLogFile = URL(fileURLWithPath: "/dev/null")
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

        /// A setting without a meaning, and words of the error that each request ends with.
        struct Nonsense: CustomTestStringConvertible {
            let testDescription: String
            let configuration: CurlConfiguration

            init(_ words: String, _ change: (inout CurlConfiguration) -> Void) {
                testDescription = words
                var configuration = CurlConfiguration()
                configuration.proxy = CurlConfiguration.Proxy.none
                change(&configuration)
                self.configuration = configuration
            }
        }

        private static let nonsense: [Nonsense] = {
            let file = URL(fileURLWithPath: "/file.pem")
            let web = URL(string: "https://h/file.pem") ?? file
            let pins = ["", "no hash", "sha256/AAAA", "a\0b", "AAAA", "sha256//", "=", "key.pem"].map { pin in
                Nonsense("the pin “\(pin.inOneLine(limit: 200))” is not") { $0.pinnedPublicKeys = [pin] }
            }
            let hosts = ["https://h", "h:443", "*.h", "", "h/x", "a b", "u:hunter2@h", "1.2.3"].map { host in
                Nonsense("which is to receive the client certificate, is not a host") {
                    $0.clientCertificate = .init(certificate: file, key: file, hosts: ["ok.example", host])
                }
            }
            let proxies = ["ftp://h", "h:8080", "http:///x", "file:///x", "socks4://h"].map { proxy in
                Nonsense("the proxy's URL “") { $0.proxy = URL(string: proxy).map { CurlConfiguration.Proxy($0) } }
            }
            let credentials = ["a\0b"].map { text in
                Nonsense("the proxy's credentials hold a NUL") { settings in
                    settings.proxy = URL(string: "http://h").map {
                        CurlConfiguration.Proxy($0, credentials: (user: text, password: ""))
                    }
                }
            }
            let files = [
                Nonsense("“https://h/file.pem” is not the URL of a file") { $0.caFile = web },
                Nonsense("“https://h/file.pem” is not the URL of a file") {
                    $0.clientCertificate = .init(certificate: file, key: web)
                },
                Nonsense("the password of the client certificate's key holds a NUL") {
                    $0.clientCertificate = .init(certificate: file, key: file, password: "a\0b")
                },
            ]
            return pins + hosts + proxies + credentials + files
        }()

        @Test(arguments: nonsense)
        func aSettingWithoutAMeaningEndsEachRequestAndIsNamed(setting: Nonsense) async throws {
            let server = try RawServer { _ in .response() }
            let transport = try #require(CurlTransport(configuration: setting.configuration))
            let client = SimpleNetworking(baseURL: server.url()) {
                $0.logger = .quiet
                $0.transport = transport
            }
            let error = try #require(await client.get("/").ended().error)
            #expect(name(of: error) == "invalidRequest")
            #expect("\(error)".contains(setting.testDescription), "\(error)")
            #expect(!"\(error)".contains("hunter2"))
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
