#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing
    @testable import SimpleNetworkingCore

    @Suite(
        "CurlTransport's interface",
        .timeLimit(.minutes(5)),
        .enabled(if: NginxServer.shared != nil, "nginx tells the client's address")
    )
    struct CurlInterfaceTests {
        let server: NginxServer

        init() throws { server = try #require(NginxServer.shared) }

        private func transport(_ interface: String?) throws -> CurlTransport {
            try curl {
                $0.caFile = server.ca
                $0.interface = interface
            }
        }

        @Test(arguments: ["127.0.0.1", "127.0.0.3"])
        func connectionsComeFromTheLocalAddress(address: String) async throws {
            #expect(try await transport(address).get(server.url("/client-address")).text == address)
        }

        @Test
        func connectionsUseTheInterface() async throws {
            #expect(try await transport("lo").get(server.url("/client-address")).text == "127.0.0.1")
        }

        /// Some could be looked up as a host, or be libcurl's own notation, if they were not taken for interfaces.
        @Test(arguments: ["missing0", "localhost", "192.0.2.1", "::1", "if!lo", "host!127.0.0.1"])
        func anInterfaceThatTheMachineLacksFailsWithCannotConnect(interface: String) async throws {
            let end = try await transport(interface).end(of: server.url("/client-address"))
            #expect(end == NetworkFailure.Kind.cannotConnect.rawValue)
        }

        @Test(arguments: [
            "", ".", "..", "a b", "a/b", "a:b", "longer-than-15-b", "b\u{FC}", "a\0b",
        ])
        func anInterfaceThatMeansNothingEndsEachRequest(interface: String) async throws {
            let end = try await transport(interface).end(of: server.url("/client-address"))
            #expect(end == "invalidRequest")
        }
    }
#endif
