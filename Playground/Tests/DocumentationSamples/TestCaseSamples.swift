import SimpleNetworking
import SimpleNetworkingTestCases
import SimpleNetworkingTesting
import Testing

#if canImport(XCTest)
    import XCTest
#endif

#if compiler(>=6.1)
    /// Runs the samples about tests that verify by themselves.
    enum TestCaseSamples {
        @Suite(.verifiesStubs)
        struct StoreTests {
            private let server = StubTransport().on(.get, "/user", .json(#"{"name": "Ada"}"#))

            @Test
            func userIsLoaded() async throws {
                let api = SimpleNetworking(host: "api.example.com") { $0.transport = server }
                #expect(try await api.send(SimpleNetworking.get("/user")).json?["name"] as? String == "Ada")
            }
        }
    }
#endif

#if canImport(XCTest)
    final class StoreTestCase: StubTestCase {
        func testUserIsLoaded() async throws {
            server.on(.get, "/user", .json(#"{"name": "Ada"}"#))
            let api = SimpleNetworking(host: "api.example.com") { [server] in $0.transport = server }
            let user = try await api.send(SimpleNetworking.get("/user"))
            XCTAssertEqual(user.json?["name"] as? String, "Ada")
        }
    }
#endif
