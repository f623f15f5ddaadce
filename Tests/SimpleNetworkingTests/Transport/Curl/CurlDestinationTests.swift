#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing
    @testable import SimpleNetworkingCore
    @testable import SimpleNetworkingCookies

    @Suite("CurlTransport, given addresses and unix domain sockets", .timeLimit(.minutes(5)))
    struct CurlDestinationTests {
        /// A folder for the sockets of one test, whose path is short enough.
        private static func socketFile() -> URL {
            URL(fileURLWithPath: "/tmp/\(UUID().uuidString.prefix(13)).socket")
        }

        private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

        // MARK: Addresses

        @Test(
            arguments: ["host.invalid", "HOST.invalid.", "host.invalid:PORT"],
            ["host.invalid", "host.invalid.", "HOST.Invalid"]
        )
        func aHostIsReachedAtTheGivenAddress(key: String, host: String) async throws {
            let server = try RawServer { .response(body: $0[header: "Host"] ?? "") }
            let key = key.replacingOccurrences(of: "PORT", with: "\(server.port)")
            let transport = try curl { $0.addresses = [key: ["127.0.0.1"]] }
            for path in ["/a", "/b"] {
                let response = try await transport.get(url("http://\(host):\(server.port)\(path)"))
                #expect(response.text.lowercased() == "\(host):\(server.port)".lowercased())
                #expect(response.metrics.remoteAddress == "127.0.0.1")
            }
        }

        @Test
        func anInternationalHostIsReachedAtTheGivenAddress() async throws {
            let server = try RawServer { _ in .response(body: "here") }
            let transport = try curl { $0.addresses = ["b\u{FC}cher.invalid": ["127.0.0.1"]] }
            #expect(try await transport.get(url("http://b\u{FC}cher.invalid:\(server.port)/")).text == "here")
        }

        @Test
        func theNextAddressIsTriedIfNothingListensAtTheFirst() async throws {
            let server = try RawServer { _ in .response(body: "here") }
            let transport = try curl { $0.addresses = ["host.invalid": ["::1", "127.0.0.9", "127.0.0.1"]] }
            #expect(try await transport.get(url("http://host.invalid:\(server.port)/")).text == "here")
        }

        @Test
        func hostsThatAreNotNamedAreLookedUp() async throws {
            let server = try RawServer { _ in .response() }
            let transport = try curl { $0.addresses = ["host.invalid:1": ["127.0.0.1"], "a.invalid": ["127.0.0.1"]] }
            for _ in 0..<2 {
                #expect(try await transport.get(url("http://a.invalid:\(server.port)/")).httpStatus == 200)
                for host in ["host.invalid", "b.a.invalid"] {
                    let end = await transport.end(of: try url("http://\(host):\(server.port)/"))
                    #expect(end == NetworkFailure.Kind.cannotFindHost.rawValue)
                }
            }
        }

        @Test
        func theAddressForAPortTakesPrecedence() async throws {
            let server = try RawServer { _ in .response(body: "here") }
            let transport = try curl {
                $0.addresses = ["host.invalid": ["127.0.0.9"], "host.invalid:\(server.port)": ["127.0.0.1"]]
            }
            #expect(try await transport.get(url("http://host.invalid:\(server.port)/")).text == "here")
        }

        @Test
        func aCertificateIsVerifiedForTheHostAndNotForItsAddress() async throws {
            let server = try #require(NginxServer.shared)
            let transport = try curl {
                $0.caFile = server.ca
                $0.addresses = ["host.invalid": ["127.0.0.1"]]
            }
            // The certificate names 127.0.0.1.
            #expect(
                await transport.end(of: server.url("/client", host: "host.invalid")) == NetworkFailure.Kind.tls.rawValue
            )
        }

        // MARK: Unix domain sockets

        @Test
        func requestsToAHostGoThroughItsSocket() async throws {
            let file = Self.socketFile()
            defer { try? FileManager.default.removeItem(at: file) }
            let server = try RawServer(at: file.path) {
                .response(body: "\($0.method) \($0.target) \($0[header: "Host"] ?? "")")
            }
            let transport = try curl { $0.unixSockets = ["docker.internal": file] }
            #expect(try await transport.get(url("http://docker.internal/a?b")).text == "GET /a?b docker.internal")
            let response = try await transport.get(
                url("http://docker.internal/c"),
                method: .post,
                body: .data(Data("d".utf8))
            )
            #expect(response.text == "POST /c docker.internal" && response.metrics.isReusedConnection == true)
            #expect(server.requests.last?.body == Data("d".utf8) && server.log.opened == 1)
        }

        @Test
        func onlyTheHostsThatAreNamedGoThroughASocket() async throws {
            let (file, other) = (Self.socketFile(), Self.socketFile())
            defer { for each in [file, other] { try? FileManager.default.removeItem(at: each) } }
            let local = try RawServer(at: file.path) { _ in .response(body: "socket") }
            let second = try RawServer(at: other.path) { _ in .response(body: "other socket") }
            let server = try RawServer { _ in .response(body: "network") }
            let transport = try curl { $0.unixSockets = ["127.0.0.1:80": file, "[::1]": other] }
            // On handles that were used for others.
            for _ in 0..<3 {
                #expect(try await transport.get(url("http://127.0.0.1/")).text == "socket")
                #expect(try await transport.get(server.url()).text == "network")
                #expect(try await transport.get(url("http://[0:0::1]:81/")).text == "other socket")
            }
            #expect(local.requests.count == 3 && second.requests.count == 3 && server.requests.count == 3)
        }

        @Test
        func aRedirectToAnotherOriginLeavesTheSocketAndTheCredentials() async throws {
            let file = Self.socketFile()
            defer { try? FileManager.default.removeItem(at: file) }
            let network = try RawServer { _ in .response(body: "network") }
            let local = try RawServer(at: file.path) {
                $0.target == "/out"
                    ? .response(status: 302, headers: ["Location": network.url("/landed").absoluteString])
                    : .response(headers: ["Set-Cookie": "a=b"], body: "socket")
            }
            let transport = try curl { $0.unixSockets = ["docker.internal": file] }
            let client = SimpleNetworking(baseURL: try url("http://docker.internal/")) {
                $0.transport = transport
                $0.cookieJar = CookieJar()
                $0.logger = .quiet
            }
            client.headers["Authorization"] = "Bearer secret"
            #expect(await client.get("/in").ended().value?.text == "socket")
            #expect(await client.get("/out").ended().value?.text == "network")
            #expect(local.requests.map(\.target) == ["/in", "/out"])
            #expect(local.requests.last?[header: "Cookie"] == "a=b")
            let landed = try #require(network.requests.first)
            #expect(
                landed.target == "/landed" && landed[header: "Cookie"] == nil && landed[header: "Authorization"] == nil
            )
        }

        @Test
        func aSocketThatNobodyListensAtFailsWithCannotConnect() async throws {
            let transport = try curl { $0.unixSockets = ["docker.internal": Self.socketFile()] }
            let end = await transport.end(of: try url("http://docker.internal/"))
            #expect(end == NetworkFailure.Kind.cannotConnect.rawValue)
        }

        @Test
        func namedHostsAreReachedWithoutTheProxy() async throws {
            let file = Self.socketFile()
            defer { try? FileManager.default.removeItem(at: file) }
            let local = try RawServer(at: file.path) { .response(body: "socket \($0.target)") }
            let server = try RawServer { .response(body: "network \($0.target)") }
            let proxy = try RawServer { _ in .response(body: "by proxy") }
            let transport = try curl {
                $0.proxy = CurlConfiguration.Proxy(proxy.url())
                $0.unixSockets = ["docker.internal": file]
                $0.addresses = ["host.invalid": ["127.0.0.1"]]
            }
            for _ in 0..<2 {
                #expect(try await transport.get(url("http://docker.internal/a")).text == "socket /a")
                #expect(try await transport.get(url("http://host.invalid:\(server.port)/b")).text == "network /b")
                #expect(try await transport.get(url("http://other.invalid/")).text == "by proxy")
            }
            #expect(local.requests.count == 2)
        }

        #if compiler(>=6.2)
            @Test
            func namedHostsAreReachedWithoutTheEnvironmentsProxy() async throws {
                await #expect(processExitsWith: .success) {
                    let proxy = try RawServer { _ in .response(body: "by proxy") }
                    let server = try RawServer { _ in .response(body: "direct") }
                    setenv("http_proxy", proxy.url().absoluteString, 1)
                    setenv("no_proxy", "excepted.invalid", 1)
                    let transport = try curl {
                        $0.proxy = nil
                        $0.addresses = ["host.invalid": ["127.0.0.1"]]
                    }
                    let named = try #require(URL(string: "http://host.invalid:\(server.port)/"))
                    let other = try #require(URL(string: "http://other.invalid/"))
                    let excepted = try #require(URL(string: "http://excepted.invalid/"))
                    for _ in 0..<2 {
                        let texts = try await [transport.get(named).text, transport.get(other).text]
                        #expect(texts == ["direct", "by proxy"])
                        let end = await transport.end(of: excepted)
                        #expect(end == NetworkFailure.Kind.cannotFindHost.rawValue)
                    }
                }
            }
        #endif

        // MARK: Settings without a meaning

        @Test(arguments: [
            (host: "", addresses: ["127.0.0.1"], words: "is not a host"), ("http://h", ["127.0.0.1"], "is not a host"),
            ("h:0", ["127.0.0.1"], "is not a host"), ("*.h", ["127.0.0.1"], "is not a host"),
            ("ada:hunter2@h", ["127.0.0.1"], "is not a host"), ("h", [], "no address"),
            ("h", ["other.example"], "not an IP"),
            ("h", ["127.0.0.1:80"], "not an IP"), ("h", ["[::1]"], "not an IP"), ("h", ["127.0.0.1", ""], "not an IP"),
            ("127.0.0.1", ["127.0.0.2"], "is an address"), ("[::1]:80", ["127.0.0.2"], "is an address"),
            ("H.", ["127.0.0.1"], "named twice"), ("s:80", ["127.0.0.1"], "named twice"),
        ])
        func anAddressThatMeansNothingEndsEachRequest(host: String, addresses: [String], words: String) async throws {
            let server = try RawServer { _ in .response() }
            let transport = try curl {
                $0.addresses = ["h": ["127.0.0.1"]]
                $0.unixSockets = ["s:80": URL(fileURLWithPath: "/tmp/s")]
                $0.addresses[host] = addresses
            }
            try await expect(transport, server, refusesWith: words)
        }

        @Test(arguments: [
            (host: "h/x", file: "file:///tmp/s", words: "is not a host"), ("h", "http://h/s", "not the URL of a file"),
            ("h", "file:///tmp/" + String(repeating: "s", count: 103), "is longer than 107 bytes"),
        ])
        func aSocketThatMeansNothingEndsEachRequest(host: String, file: String, words: String) async throws {
            let server = try RawServer { _ in .response() }
            let file = try url(file)
            try await expect(try curl { $0.unixSockets = [host: file] }, server, refusesWith: words)
        }

        @Test
        func aLibcurlWithoutUnixSocketsRefusesThem() {
            var configuration = CurlConfiguration()
            configuration.addresses = ["h": ["127.0.0.1"]]
            #expect(CurlDestinations(configuration, lacksSockets: true).defect == nil)
            configuration.unixSockets = ["s": URL(fileURLWithPath: "/tmp/s")]
            #expect(
                CurlDestinations(configuration, lacksSockets: true).defect?.contains("without unix domain sockets")
                    == true
            )
            #expect(CurlDestinations(configuration, lacksSockets: false).defect == nil)
        }

        private func expect(_ transport: CurlTransport, _ server: RawServer, refusesWith words: String) async throws {
            let error = await #expect(throws: SimpleNetworkingError.self) { try await transport.get(server.url()) }
            let text = "\(error.map { "\($0)" } ?? "")"
            #expect(
                error.map(name(of:)) == "invalidRequest" && text.contains(words) && !text.contains("hunter2"),
                "\(text)"
            )
            #expect(server.requests.isEmpty)
        }
    }
#endif
