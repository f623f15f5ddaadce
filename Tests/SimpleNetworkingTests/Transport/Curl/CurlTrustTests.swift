#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing
    @testable import SimpleNetworkingCore

    @Suite(
        "CurlTransport's certificates and pins",
        .timeLimit(.minutes(5)),
        .enabled(if: NginxServer.shared != nil, "nginx and openssl are needed for a TLS server")
    )
    struct CurlTrustTests {
        let server: NginxServer

        init() throws { server = try #require(NginxServer.shared) }

        private func transport(_ change: (inout CurlConfiguration) -> Void = { _ in }) throws -> CurlTransport {
            try curl {
                $0.caFile = server.ca
                change(&$0)
            }
        }

        // MARK: Authorities

        @Test
        func aServerWithAnUntrustedCertificateIsRefused() async throws {
            #expect(try await curl().end(of: server.url("/client")) == NetworkFailure.Kind.tls.rawValue)
        }

        @Test
        func aServerIsRefusedWhoseAuthorityTheFileDoesNotHave() async throws {
            let transport = try curl { $0.caFile = server.otherCA }
            #expect(await transport.end(of: server.url("/client")) == NetworkFailure.Kind.tls.rawValue)
        }

        @Test
        func aServerOfAnotherNameIsRefused() async throws {
            let end = try await transport().end(of: server.url("/client", host: "localhost"))
            #expect(end == NetworkFailure.Kind.tls.rawValue)
        }

        @Test
        func aFileOfCertificatesThatIsMissingIsATLSFailure() async throws {
            let transport = try curl { $0.caFile = URL(fileURLWithPath: "/does/not/exist") }
            #expect(await transport.end(of: server.url("/client")) == NetworkFailure.Kind.tls.rawValue)
        }

        /// nginx takes the request of a proxy for one of its own.
        @Test
        func anHTTPSProxyIsHeldToTheSameAuthorities() async throws {
            let target = try #require(URL(string: "http://host.invalid/client"))
            let proxy = CurlConfiguration.Proxy(server.url("/"))
            let response = try await transport { $0.proxy = proxy }.get(target)
            #expect(response.text == "NONE")
            for file in [nil, server.otherCA] {
                let transport = try curl {
                    $0.proxy = proxy
                    $0.caFile = file
                }
                #expect(await transport.end(of: target) == NetworkFailure.Kind.tls.rawValue)
            }
        }

        // MARK: Pins

        @Test
        func aPinnedKeyIsAccepted() async throws {
            let other = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
            for pins in [[server.pin], [other, server.pin], ["sha256//" + server.pin]] {
                #expect(try await transport { $0.pinnedPublicKeys = pins }.get(server.url("/client")).httpStatus == 200)
            }
        }

        @Test(arguments: ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="])
        func aServerWithoutAPinnedKeyIsRefused(pin: String) async throws {
            let transport = try transport { $0.pinnedPublicKeys = [pin] }
            #expect(await transport.end(of: server.url("/client")) == NetworkFailure.Kind.tls.rawValue)
        }

        @Test
        func aPinnedKeyWithAnUntrustedCertificateIsRefused() async throws {
            let transport = try curl {
                $0.caFile = server.otherCA
                $0.pinnedPublicKeys = [server.pin]
            }
            #expect(await transport.end(of: server.url("/client")) == NetworkFailure.Kind.tls.rawValue)
        }

        // MARK: Client certificates

        private func client(
            hosts: Set<String>? = nil,
            _ change: (inout SimpleNetworking.Configuration) -> Void = { _ in }
        ) throws -> SimpleNetworking {
            let transport = try transport {
                $0.clientCertificate = .init(
                    certificate: server.clientCertificate,
                    key: server.clientKey,
                    hosts: hosts
                )
            }
            return SimpleNetworking(baseURL: server.url("/")) {
                $0.logger = .quiet
                $0.transport = transport
                change(&$0)
            }
        }

        /// What the server says of the certificate that it was offered.
        private func offer(_ path: String, _ client: SimpleNetworking) async -> String? {
            await client.get(path).ended().value?.text
        }

        @Test
        func clientCertificateIsOfferedToTheBaseURLsServer() async throws {
            #expect(try await transport().get(server.url("/client")).text == "NONE")
            #expect(await offer("/client", try client()) == "SUCCESS")
        }

        @Test
        func clientCertificateIsNotOfferedToAnotherOrigin() async throws {
            let client = try client()
            let other = server.url("/client", host: NginxServer.otherHost).absoluteString
            // Both over the same handle of libcurl, in both orders.
            for _ in 0..<2 {
                #expect(await offer("/client", client) == "SUCCESS")
                #expect(await offer("/elsewhere", client) == "NONE")
                #expect(await offer(other, client) == "NONE")
            }
        }

        @Test
        func clientCertificateIsOfferedToTrustedOrigins() async throws {
            let other = server.url("/client", host: NginxServer.otherHost)
            let origin = try #require(Origin(other))
            let client = try client { $0.trustedOrigins = [origin] }
            #expect(await offer("/elsewhere", client) == "SUCCESS")
            #expect(await offer(other.absoluteString, client) == "SUCCESS")
        }

        @Test
        func clientCertificateIsOfferedToTheHostsThatItNames() async throws {
            let other = server.url("/client", host: NginxServer.otherHost)
            let client = try client(hosts: [NginxServer.otherHost]) {
                $0.trustedOrigins = Set([Origin(other)].compactMap(\.self))
            }
            #expect(await offer("/client", client) == "NONE")
            #expect(await offer("/elsewhere", client) == "SUCCESS")
            #expect(await offer(other.absoluteString, client) == "SUCCESS")
            #expect(await offer("/client", try self.client(hosts: ["127.0.0.1"])) == "SUCCESS")
            #expect(await offer("/client", try self.client(hosts: [])) == "NONE")
        }

        @Test
        func middlewareGetsNoClientCertificateForAnotherOrigin() async throws {
            struct Detour: Middleware {
                let url: URL

                func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
                    try await next(TransportRequest(head: RequestHead(url: url)))
                }
            }
            let detour = Detour(url: server.url("/client", host: NginxServer.otherHost))
            #expect(await offer("/client", try client { $0.middleware = [detour] }) == "NONE")
        }

        @Test
        func aTransportAroundLibcurlsOffersNoClientCertificateToAnotherOrigin() async throws {
            struct Wrapper: Transport {
                let transport: any Transport

                func send(_ request: TransportRequest) async throws -> TransportResponse {
                    try await transport.send(request)
                }
            }
            let client = try client { $0.transport = $0.transport.map { Wrapper(transport: $0) } }
            #expect(await offer("/client", client) == "SUCCESS")
            #expect(await offer("/elsewhere", client) == "NONE")
        }

        /// With TLS 1.3, the refusal comes when the handshake is over, in place of a response.
        @Test(arguments: [HTTPMethod.get, .post])
        func aServerThatDemandsACertificateRefusesClientsWithoutOne(method: HTTPMethod) async throws {
            let demanding = try FrameServer(certificateIn: server.folder, demandsCertificate: true) { _ in [] }
            let transport = try transport()
            let failure = await #expect(throws: NetworkFailure.self) {
                try await transport.get(demanding.url, method: method)
            }
            #expect(failure?.kind == .tls, "\(failure as Any)")
        }

        @Test
        func noRequestIsSentWithoutTheClientCertificateThatIsSet() async throws {
            let missing = server.folder.appendingPathComponent("missing")
            for (certificate, key) in [
                (missing, server.clientKey), (server.clientCertificate, missing),
                (server.clientCertificate, server.otherKey),
            ] {
                let transport = try transport { $0.clientCertificate = .init(certificate: certificate, key: key) }
                #expect(await transport.end(of: server.url("/client")) == NetworkFailure.Kind.tls.rawValue)
            }
        }
    }
#endif
