import ClientTestSupport
import DemoServer
import Foundation
import NationBuilderClient
import SimpleNetworking
import SimpleNetworkingCaching
import SimpleNetworkingTesting
import Testing

/// NB-1 to NB-12: construction and configuration.
@Suite(.timeLimit(.minutes(1)))
struct ConstructionTests {
    private static let proxy = URL(string: "https://proxy.example/nations/abe")

    // NB-1, NB-2
    @Test
    func aNationHasItsOwnURLUnlessAnotherIsSet() throws {
        let proxy = try #require(Self.proxy)
        #expect(NationBuilder(slug: "abe", apiKey: "k").baseURL.absoluteString == "https://abe.nationbuilder.com")
        #expect(NationBuilder(slug: "abe", apiKey: "k", baseURL: nil).baseURL.host == "abe.nationbuilder.com")
        #expect(NationBuilder(slug: "abe", apiKey: "k", baseURL: proxy).baseURL == proxy)
        let authenticator = NationAuthenticator(baseURL: proxy, clientID: "c", store: .memory())
        #expect(NationBuilder(slug: "abe", authenticator: authenticator).baseURL == proxy)
    }

    // NB-2
    @Test
    func anInvalidSlugIsAnErrorAndNoCrash() async throws {
        let nation = NationBuilder(slug: "[", apiKey: nil) { $0.transport = StubTransport() }
        await #expect(throws: SimpleNetworkingError.self) { try await nation.call(.people()) }
    }

    // NB-3
    @Test
    func theVersionStandsBeforeThePathAndMayChange() async throws {
        let nation = NationBuilder(StubTransport())
        #expect(try await nation.sent(.person(5)).url.path == "/api/v1/people/5")
        nation.apiVersion = "v2"
        #expect(try await nation.sent(.person(5)).url.path == "/api/v2/people/5")
        nation.apiVersion = nil
        #expect(nation.apiVersion == "v2")
    }

    // NB-4
    @Test(arguments: ["", "/"])
    func aBaseURLsPathStays(end: String) async throws {
        let base = try #require(URL(string: "https://proxy.example/nations/abe" + end))
        let url = try await NationBuilder(StubTransport(), baseURL: base).sent(.person(5)).url
        #expect(url.path == "/nations/abe/api/v1/people/5")
    }

    // NB-5, NB-6
    @Test
    func theKeyIsInTheURLOrInTheHeaderAndMayChange() async throws {
        let nation = NationBuilder(StubTransport(), apiKey: "a b")
        func sent() async throws -> (String?, String?) {
            let request = try await nation.sent(.person(5))
            return (request.url.query, request.headers["Authorization"])
        }
        #expect(try await sent() == ("access_token=a%20b", nil))
        nation.apiKey = nil
        #expect(try await sent() == ("access_token=", nil))
        nation.sendsKeyAsHeader = true
        #expect(try await sent() == (nil, nil))
        nation.apiKey = "k"
        #expect(try await sent() == (nil, "Bearer k"))
        nation.sendsKeyAsHeader = false
        #expect(try await sent() == ("access_token=k", nil))
    }

    // NB-7, NB-8, NB-14
    @Test
    func eachHostHasItsOwnCacheUnlessTheConfigurationHasOne() throws {
        func cache(_ slug: String, _ configuration: URLSessionConfiguration? = nil) -> ResponseCache? {
            NationBuilder(slug: slug, apiKey: "k", sessionConfiguration: configuration).configuration.cache
        }
        let abe = try #require(cache("abe"))
        let ben = try #require(cache("ben"))
        #expect(abe !== ben && abe === cache("abe"))
        #expect(abe.memoryLimit == 4 << 20 && abe.diskLimit == 20 << 20)
        let bare = URLSessionConfiguration.ephemeral
        bare.urlCache = nil
        #expect(cache("abe", bare) === abe)
        bare.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        #expect(cache("abe", bare) == nil)
        #expect(NationBuilder(slug: "abe", apiKey: "k").configuration.cachePolicy == .revalidate)
    }

    // NB-14
    @Test
    func storedResponsesAreRevalidatedAndNotSentTwice() async throws {
        let server = StubTransport().on("*") { request in
            guard request.headers["If-None-Match"] == nil else { return .status(304, headers: ["ETag": "\"1\""]) }
            return .json(
                #"{"person": {"id": 5}}"#,
                headers: ["ETag": "\"1\"", "Cache-Control": "max-age=3600"]
            )
        }
        let nation = NationBuilder(slug: "abe", apiKey: "k") {
            $0.transport = server
            $0.cache = ResponseCache()
        }
        for _ in 1...2 {
            let person = try await nation.call(.person(5)).value
            #expect(person?.id == 5)
        }
        #expect(server.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\""])
    }

    // NB-9, NB-11
    @Test
    func aSessionOfTheCallersIsUsedUnchanged() async throws {
        try await withNation { server, url in
            let settings = URLSessionConfiguration.ephemeral
            settings.httpAdditionalHeaders = ["X-Session": "mine"]
            let session = URLSession(configuration: settings)
            do {
                let nation = NationBuilder(
                    slug: "abe",
                    apiKey: "demo-key",
                    baseURL: url,
                    session: session,
                    sessionConfiguration: .ephemeral
                )
                #expect(try await nation.call(.person(1)).value?.id == 1)
            }
            #expect(await server.log.headers.last?["x-session"] == "mine")
            let (_, response) = try await session.data(from: server.baseURL.appendingPathComponent("hello"))
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            session.finishTasksAndInvalidate()
        }
    }

    // NB-9
    @Test(arguments: Engine.allCases)
    func aSessionConfigurationMakesTheSession(engine: Engine) async throws {
        try await withNation { server, url in
            let settings = URLSessionConfiguration.ephemeral
            settings.httpAdditionalHeaders = ["X-Session": "configured"]
            let nation = NationBuilder(
                slug: "abe",
                apiKey: "demo-key",
                baseURL: url,
                sessionConfiguration: settings,
                configure: engine.select
            )
            let person = try await nation.call(.person(1)).value
            #expect(person?.id == 1)
            #expect(await server.log.headers.last?["x-session"] == "configured")
        }
    }

    // NB-10, NB-41
    @Test
    func completionsRunOnTheMainQueue() async {
        let nation = NationBuilder(StubTransport().on("*", .json(#"{"person": {"id": 5}}"#)))
        #expect(await value { done in nation.call(.person(5)) { _ in done(DispatchQueue.isMain) } })
    }

    // NB-11, NB-12
    @Test
    func neitherTheClientNorItsDelegateIsKeptAlive() async throws {
        weak var nation: NationBuilder?
        weak var observer: Observer?
        do {
            let client = NationBuilder(StubTransport().on("*", .json(#"{"person": {"id": 5}}"#)))
            let delegate = Observer()
            client.delegate = delegate
            (nation, observer) = (client, delegate)
            _ = await value { done in client.call(.person(5)) { done($0) } }
        }
        await DispatchQueue.main.turn()
        #expect(nation == nil && observer == nil)
    }
}
