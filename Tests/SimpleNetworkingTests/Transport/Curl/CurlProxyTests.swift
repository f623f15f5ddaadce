#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing

    @testable import SimpleNetworking
    @testable import SimpleNetworkingCore

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

        @Test(arguments: [
            ("localhost", "localhost"), ("localhost", "a.localhost"), (".localhost", "a.localhost"),
            (".localhost", "localhost"), ("*.localhost", "a.localhost"), ("*.localhost", "b.a.localhost"),
            ("LOCALHOST.", "localhost"), (" localhost ", "localhost"), ("x.example,localhost", "localhost"),
            ("x.example, *.localhost", "a.localhost"), ("localhost:PORT", "localhost"),
            ("*.localhost:PORT", "a.localhost"),
            ("*:PORT", "127.0.0.1"), ("127.0.0.1:PORT", "127.0.0.1"), ("127.0.0.0/8", "127.0.0.1"),
            ("0.0.0.0/0", "127.0.0.1"),
            ("127.0.0.0/8:PORT", "127.0.0.1"), ("*", "localhost"),
        ])
        func anExceptionIsReachedDirectly(exception: String, host: String) async throws {
            let proxy = try RawServer { _ in .response(body: "by proxy") }
            let server = try RawServer { _ in .response(body: "direct") }
            let text = exception.replacingOccurrences(of: "PORT", with: "\(server.port)")
            let transport = try curl { $0.proxy = CurlConfiguration.Proxy(proxy.url(), exceptions: [text]) }
            // Requests in between use the proxy, on handles that were used without it.
            for path in ["/a", "/b?c"] {
                let url = try #require(URL(string: "http://\(host):\(server.port)\(path)"))
                #expect(try await transport.get(url).text == "direct")
                if exception != "*" { #expect(try await transport.get(target).text == "by proxy") }
            }
            #expect(server.requests.map(\.target) == ["/a", "/b?c"])
        }

        @Test(arguments: [
            ("*.localhost", "localhost"), ("localhost:1", "localhost"), ("a.localhost", "localhost"),
            ("host", "localhost"),
            ("10.0.0.0/8", "127.0.0.1"), ("127.0.0.0/32", "127.0.0.1"), ("::1", "127.0.0.1"), ("[::1]", "127.0.0.1"),
            ("127.0.0.1", "localhost"), ("*:1", "127.0.0.1"), ("127.0.0.1:1", "127.0.0.1"),
        ])
        func anotherHostIsReachedThroughTheProxy(exception: String, host: String) async throws {
            let proxy = try RawServer { _ in .response(body: "by proxy") }
            let transport = try curl { $0.proxy = CurlConfiguration.Proxy(proxy.url(), exceptions: [exception]) }
            let url = try #require(URL(string: "http://\(host):\(proxy.port + 1)/"))
            #expect(try await transport.get(url).text == "by proxy")
        }

        @Test(arguments: [
            "", " ", ",", "http://h", "h/x", "h:", "h:0", "h:65536", "h:x", "h:1:2", "u:hunter2@h", "192.168.*", "*h",
            "h.*",
            "*.", ".", "..h", "h..x", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/", "10.0.0.0/-1", "::1/129", "[::1", "::1]",
            "[::1]x", "[::1]:", "[1.2.3.4]", "[h]", ":::", "*.1.2.3.4", "1.2.3", "1.2.3.256", "h<x", "<local>", "a\0b",
            "a\u{1}",
            "h?x", "h#x", "fe80::1%eth0", "*.*.h", "x,h:0", "-\u{7F}",
        ])
        func anExceptionThatMeansNothingEndsEachRequest(exception: String) async throws {
            let proxy = try RawServer { _ in .response(body: "by proxy") }
            let transport = try curl { $0.proxy = CurlConfiguration.Proxy(proxy.url(), exceptions: ["ok", exception]) }
            let error = await #expect(throws: SimpleNetworkingError.self) { try await transport.get(target) }
            let text = "\(error.map { "\($0)" } ?? "")"
            #expect(text.contains("the proxy's exception “") && text.contains("*.example.com"), "\(text)")
            #expect(!text.contains("hunter2"))
            #expect(proxy.requests.isEmpty)
        }

        @Test(arguments: [
            // The exception, the URL, and whether it is reached directly.
            ("[::1]", "http://[::1]/", true), ("::1", "http://[0:0::1]/", true),
            ("[0:0:0:0:0:0:0:1]:80", "http://[::1]/", true),
            ("[::1]:443", "http://[::1]/", false), ("[::1]:443", "https://[::1]/", true),
            ("::/0", "http://[::1]/", true),
            ("::/0", "http://1.2.3.4/", false), ("fd00::/8", "http://[fd12::1]/", true),
            ("fd00::/8", "http://[fe80::1]/", false),
            ("fe80::/10", "http://[febf::1]/", true), ("fe80::/10", "http://[fec0::1]/", false),
            ("::ffff:1.2.3.4", "http://[::ffff:102:304]/", true), ("10.0.0.0/9", "http://10.127.0.1/", true),
            ("10.0.0.0/9", "http://10.128.0.1/", false), ("10.1.2.3/32", "http://10.1.2.3/", true),
            ("10.1.2.3/31", "http://10.1.2.4/", false), ("1.2.3.4", "http://1.2.3.4:81/", true),
            ("h.example", "https://H.EXAMPLE./", true), ("h.example", "http://xh.example/", false),
            ("*.h.example", "http://a.b.h.example/", true), ("*.h.example", "http://h.example/", false),
            ("b\u{FC}cher.example", "http://xn--bcher-kva.example/", true),
            ("h_x.example", "http://h_x.example/", true),
            ("h.example:443", "https://h.example/", true), ("h.example:443", "http://h.example/", false),
            ("*", "https://anything.example/", true), ("*:8080", "http://h.example:8080/", true),
        ])
        func anExceptionMeansWhatItSays(exception: String, url: String, isDirect: Bool) throws {
            let proxy = try CurlConfiguration.Proxy(#require(URL(string: "http://proxy")), exceptions: [exception])
            #expect(proxy.strangeException == nil)
            #expect(try proxy.isBypassed(by: #require(URL(string: url))) == isDirect)
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
