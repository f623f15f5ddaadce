#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    @Suite("CurlTransport and proxies", .timeLimit(.minutes(5)))
    struct CurlProxyTests {
        private let target = URL(string: "http://host.invalid/path?a=b") ?? URL(fileURLWithPath: "/")

        @Test
        func requestsGoThroughTheConfiguredProxy() async throws {
            let proxy = try RawServer { _ in .response(body: "by proxy") }
            let transport = try curl {
                $0.proxy = CurlConfiguration.Proxy(proxy.url(), credentials: (user: "a:b", password: "c@d"))
            }
            #expect(try await transport.get(target).text == "by proxy")
            let request = try #require(proxy.requests.first)
            #expect(request.target == "http://host.invalid/path?a=b")
            #expect(request[header: "Proxy-Authorization"] == "Basic " + Data("a:b:c@d".utf8).base64EncodedString())
            #expect(request[header: "Host"] == "host.invalid")
        }

        @Test
        func proxyExceptionsConnectDirectly() async throws {
            let proxy = try RawServer { _ in .response(body: "by proxy") }
            let server = try RawServer { _ in .response(body: "direct") }
            let transport = try curl { $0.proxy = CurlConfiguration.Proxy(proxy.url(), exceptions: ["127.0.0.1"]) }
            #expect(try await transport.get(server.url()).text == "direct")
            #expect(try await transport.get(target).text == "by proxy")
        }

        @Test
        func proxysErrorResponseIsReturned() async throws {
            let proxy = try RawServer { _ in .response(status: 407, body: "who are you?") }
            let response = try await curl { $0.proxy = CurlConfiguration.Proxy(proxy.url()) }.get(target)
            #expect(response.httpStatus == 407 && response.text == "who are you?")
        }

        @Test
        func refusedTunnelFailsWithCannotConnect() async throws {
            let proxy = try RawServer { _ in .response(status: 403) }
            let url = try #require(URL(string: "https://host.invalid/"))
            let end = try await curl { $0.proxy = CurlConfiguration.Proxy(proxy.url()) }.end(of: url)
            #expect(end == NetworkFailure.Kind.cannotConnect.rawValue)
            #expect(proxy.requests.first?.method == "CONNECT")
        }

        @Test
        func missingProxyFailsWithCannotConnect() async throws {
            let port = try Socket.freePort()
            let proxy = try #require(URL(string: "http://127.0.0.1:\(port)"))
            let end = try await curl { $0.proxy = CurlConfiguration.Proxy(proxy) }.end(of: target)
            #expect(end == NetworkFailure.Kind.cannotConnect.rawValue)
        }

        @Test(arguments: [false, true])
        func aProxyOfASessionThatNoEngineHereReadsEndsTheRequest(isCallersSession: Bool) async throws {
            let server = try RawServer { _ in .response(body: "direct") }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.connectionProxyDictionary = ["HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": 9]
            let session = isCallersSession ? URLSession(configuration: configuration) : nil
            let client = SimpleNetworking(baseURL: server.url(), session: session) {
                $0.logger = .quiet
                $0.sessionConfiguration = configuration
            }
            let error = await client.get("/").ended().error
            #expect(error.map(name(of:)) == "invalidRequest")
            #expect(server.requests.isEmpty)
        }

        #if compiler(>=6.2)
            @Test
            func theEnvironmentNamesTheProxyUnlessTheConfigurationDoes() async throws {
                // The environment is the process's.
                await #expect(processExitsWith: .success) {
                    let target = try #require(URL(string: "http://host.invalid/"))
                    let proxy = try RawServer { _ in .response(body: "by proxy") }
                    setenv("http_proxy", proxy.url().absoluteString, 1)
                    let text = try await curl { $0.proxy = nil }.get(target).text
                    #expect(text == "by proxy")
                    let end = try await curl { $0.proxy = CurlConfiguration.Proxy.none }.end(of: target)
                    #expect(end == NetworkFailure.Kind.cannotFindHost.rawValue)
                }
            }

            @Test(arguments: ["no_proxy", "NO_PROXY"])
            func theEnvironmentMakesNoExceptionFromTheConfiguredProxy(name: String) async throws {
                await #expect(processExitsWith: .success) { [name] in
                    let proxy = try RawServer { _ in .response(body: "by proxy") }
                    let server = try RawServer { _ in .response(body: "direct") }
                    setenv(name, "*", 1)
                    let text = try await curl { $0.proxy = CurlConfiguration.Proxy(proxy.url()) }.get(server.url()).text
                    #expect(text == "by proxy")
                }
            }
        #endif
    }
#endif
