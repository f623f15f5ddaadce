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

        @Test(arguments: [
            Answer("", repeated: "Field: value\r\n"),
            Answer("Content-Length: 9999999999\r\n\r\n", repeated: "content"),
            Answer("Transfer-Encoding: chunked\r\n\r\n", repeated: "1\r\nx\r\n"),
        ])
        func aProxyThatAnswersWithoutEndDelaysNoOtherRequest(answer: Answer) async throws {
            let proxy = try RawServer { _ in
                let head = Data("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=a\r\n\(answer.beginning)".utf8)
                let rest = Data(String(repeating: answer.repeated, count: 10_000).utf8)
                return RawServer.Reply([.send(head), .flood(rest)])
            }
            let server = try RawServer { _ in .response(body: "direct") }
            let transport = try curl { $0.proxy = CurlConfiguration.Proxy(proxy.url(), exceptions: ["127.0.0.1"]) }
            let url = try #require(URL(string: "https://host.invalid/"))
            async let end = transport.end(of: url)
            await proxy.wait { !$0.requests.isEmpty }
            #expect(try await transport.get(server.url()).text == "direct")
            #expect(await end == NetworkFailure.Kind.cannotConnect.rawValue)
        }

        /// What a proxy answers to CONNECT.
        struct Answer: CustomTestStringConvertible {
            let beginning: String
            let repeated: String

            init(_ beginning: String, repeated: String) {
                self.beginning = beginning
                self.repeated = repeated
            }

            var testDescription: String { beginning + repeated }
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
