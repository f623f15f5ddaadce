import Foundation
import SimpleNetworking
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import Testing

/// What a subclass can make URLs with.
@Suite(.timeLimit(.minutes(5)))
struct URLTests {
    /// Puts a version before each path, and a key into each query that may have it.
    private final class Versioned: SimpleNetworking, @unchecked Sendable {
        private let key: String

        init(host: String, key: String, transport: StubTransport) {
            self.key = key
            super.init(host: host) { configuration in
                configuration.transport = transport
                configuration.logger = .quiet
            }
        }

        override func url(for request: SimpleRequest) throws -> URL {
            let path = request.isAbsolute ? request.path : "/v2" + request.path
            let url = try url(forPath: path, query: request.query)
            return trusts(url) ? try self.url(forPath: path, query: request.query.replacing(with: ["key": key])) : url
        }
    }

    private let server = StubTransport()

    @Test
    func subclassInitializerMayCallInitWithAHost() async throws {
        let client = Versioned(host: "api.example.com:8443/base", key: "a b", transport: server)
        #expect(client.baseURL.absoluteString == "https://api.example.com:8443/base")
        let nowhere = Versioned(host: "no host", key: "a b", transport: server)
        guard case .invalidURL? = await nowhere.get("/x").ended().error else {
            throw "another error".asError
        }
        #expect(server.requests.isEmpty)
    }

    @Test
    func errorForAnInvalidURLContainsTheURLAndTheReason() async {
        let error = await SimpleNetworking(over: server).get("http://").ended().error
        #expect(error?.description == "“http://” is not a valid URL: it has no host.")
    }

    @Test
    func urlHookChangesPathsAndQueriesAndRecognizesAbsoluteURLs() async throws {
        server.on("*", .json("[]"))
        let client = Versioned(host: "api.example.com/base", key: "a b", transport: server)
        await client.get("/people?a=1", query: [("b", "2"), ("key", "old")]).ended()
        await client.get("https://api.example.com/base/v2/people?page=2").ended()
        await client.get("https://other.example.com/x").ended()
        #expect(
            server.requests.map(\.url.absoluteString) == [
                "https://api.example.com/base/v2/people?a=1&b=2&key=a%20b",
                "https://api.example.com/base/v2/people?page=2&key=a%20b",
                "https://other.example.com/x",
            ]
        )
    }

    @Test
    func pageLinksAreAbsoluteInTheURLHook() async throws {
        server.on("/v2/people") { request in
            let isLast = request.url.query?.contains("token=1") == true
            return .json(#"{"items": [\#(isLast ? 2 : 1)], "next": \#(isLast ? "null" : "\"/v2/people?token=1\"")}"#)
        }
        var items: [Int] = []
        let client = Versioned(host: "api.example.com", key: "a b", transport: server)
        let pages = client.pages(of: Int.self, at: "items", for: SimpleNetworking.get("/people"), style: .links())
        for try await page in pages { items += page.items }
        #expect(items == [1, 2])
        #expect(server.requests.map { $0.url.query } == ["key=a%20b", "token=1&key=a%20b"])
    }

    @Test
    func clientTrustsItsOwnAndTheTrustedOrigins() throws {
        let client = SimpleNetworking(host: "api.example.com/v1") {
            $0.trustedOrigins = Set([Origin("https://files.example.com")].compactMap(\.self))
        }
        let cases: [(String, Bool)] = [
            ("https://api.example.com/other", true), ("https://api.example.com:443/", true),
            ("https://files.example.com/x", true), ("http://api.example.com/v1", false),
            ("https://api.example.com:444/v1", false), ("https://example.com/", false), ("file:///x", false),
        ]
        for (address, isTrusted) in cases {
            #expect(client.trusts(try #require(URL(string: address))) == isTrusted, "\(address)")
        }
    }

    @Test
    func requestHasItsQueryAndWhetherItIsAbsolute() {
        let request = SimpleNetworking.get("/x?a=1", query: [("b", "2")])
        #expect(request.path == "/x?a=1" && request.query == [("b", "2")] && !request.isAbsolute)
        #expect(SimpleNetworking.get("http://x.example").isAbsolute && !SimpleNetworking.get("users:search").isAbsolute)
    }
}
