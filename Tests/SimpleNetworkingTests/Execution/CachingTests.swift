import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// The cache among the other stages, and over real sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CachingTests {
    @Test
    func traceShowsWhetherTheCacheServedTheResponse() async throws {
        let world = CachedWorld()
        world.reply(["Cache-Control": "max-age=60", "ETag": #""1""#])
        let steps: [(TimeInterval, [TraceStep])] = [
            (0, [.response(200), .note(CacheStep.stored), .success, .completion]),
            (59, [.note(CacheStep.hit), .success, .completion]),
            (2, [.response(304), .note(CacheStep.revalidated), .success, .completion]),
        ]
        for (seconds, steps) in steps {
            world.pass(seconds)
            let request = SimpleNetworking.get("/x").on(success: { _ in })
            await request.execute(on: world.client).ended()
            try expectOrder(of: request, steps)
        }
        let request = world.client.get("/x")
        await request.ended()
        #expect(request.trace.description.contains("served from the cache"))
    }

    @Test
    func withoutACacheEveryRequestIsSentAndOnlyCachedNever() async {
        let server = StubTransport().on("*", .text("a", headers: ["Cache-Control": "max-age=60"]))
        let client = SimpleNetworking(over: server)
        for policy in [CachePolicy.use, .reload, .revalidate, .none] {
            let request = client.get("/x") { $0.cachePolicy(policy) }
            #expect(await request.ended().value?.text == "a")
            #expect(!request.trace.description.contains("cache"))
        }
        #expect(server.requests.count == 4)
        for method in [HTTPMethod.get, .post] {
            let request = SimpleRequest(method, path: "/x").cachePolicy(.onlyCached)
            let error = await request.execute(on: client).ended().error
            #expect(error.map(name(of:)) == "notCached" && error?.response == nil && error?.request?.url.path == "/x")
        }
        #expect(server.requests.count == 4)
    }

    @Test
    func clientsCachePolicyAppliesWithoutARequestsOwn() async {
        let world = CachedWorld { $0.cachePolicy = .reload }
        world.reply(["Cache-Control": "max-age=60"])
        for _ in 1...2 { #expect(await world.end() == .fetched) }
        #expect(await world.end(.get, "/x", [:], .use) == .hit)
    }

    @Test
    func onlyCachedMissIsNotRetried() async {
        let world = CachedWorld { $0.retryPolicy = RetryPolicy(attempts: 3) }
        let request = world.client.get("/x") { $0.cachePolicy(.onlyCached) }
        #expect(await request.ended().error.map(name(of:)) == "notCached")
        #expect(request.trace.attempts == 1)
    }

    @Test
    func eachURLOfARedirectIsCachedSeparately() async {
        let world = CachedWorld()
        world.server
            .on("/a", .redirect(to: "/b"), times: 1)
            .on("/a", .redirect(to: "/c"))
            .on("/b", .text("b", headers: ["Cache-Control": "max-age=60"]))
            .on("/c", .text("c", headers: ["Cache-Control": "max-age=60"]))
            .on("/d", StubResponse(status: 308, headers: ["Location": "/b", "Cache-Control": "max-age=60"]))
        #expect(await world.send(.get, "/a").response?.text == "b")
        #expect(await world.send(.get, "/a").response?.text == "c")
        for _ in 1...2 { #expect(await world.send(.get, "/d").response?.text == "b") }
        #expect(world.server.log == ["GET /a", "GET /b", "GET /a", "GET /c", "GET /d"])
    }

    @Test
    func refusalIsRefreshedAndNotStored() async {
        let world = CachedWorld {
            $0.authenticator = BearerAuthenticator(token: Secret("old")) { _ in Secret("new") }
        }
        world.server.on("/x") { request -> StubResponse in
            let isIn = request.headers["Authorization"] == "Bearer new"
            return StubResponse(status: isIn ? 200 : 401, headers: ["Cache-Control": "max-age=60"])
        }
        #expect(await world.end() == .fetched)
        #expect(await world.end() == .hit)
        #expect(world.server.requests.count == 2)
    }

    @Test
    func downloadsAndStreamsBypassTheCache() async throws {
        let world = CachedWorld()
        world.reply(["Cache-Control": "max-age=60"])
        await world.send()
        let stream = ToStream()
        let client = SimpleNetworking(over: world.server) {
            $0.cache = world.cache
            $0.middleware = [stream]
        }
        for _ in 1...2 { #expect(await client.get("/x").ended().value?.text != "1") }
        #expect(await world.send().response?.text == "1")
    }

    @Test(arguments: Engine.allCases)
    func overARealSocketFreshIsServedAndStaleRevalidated(engine: Engine) async throws {
        let server = try RawServer { request in
            if request.method != "GET" { return .response(status: 204) }
            if request[header: "If-None-Match"] == #""1""# {
                return .response(status: 304, headers: ["ETag": #""1""#, "Cache-Control": "max-age=60"])
            }
            return .response(headers: ["ETag": #""1""#, "Cache-Control": "max-age=60"], body: "hello")
        }
        let folder = ScratchFolder()
        let time = Locked(Date())
        let cache = ResponseCache(folder: folder.url) { time.withLock { $0 } }
        let client = try engine.client(server) { $0.cache = cache }
        for _ in 1...3 { #expect(try await client.send(SimpleNetworking.get("/x")).text == "hello") }
        #expect(server.requests.count == 1)
        time.withLock { $0 += 61 }
        let confirmed = try await client.send(SimpleNetworking.get("/x"))
        #expect(confirmed.httpStatus == 200 && confirmed.text == "hello")
        #expect(server.requests.count == 2)
        #expect(try await client.send(SimpleNetworking.get("/x")).text == "hello")
        #expect(server.requests.count == 2)
        await client.delete("/x").ended()
        #expect(try await client.send(SimpleNetworking.get("/x")).text == "hello")
        #expect(server.requests.count == 4)
    }

    // Apple's URLSession sends none of its cookies with these requests: it heeds `httpShouldHandleCookies`.
    #if !canImport(Darwin)
        @Test
        func cookiesOfACallersSessionKeepStoredResponsesApart() async throws {
            let server = try RawServer { request in
                .response(headers: ["Cache-Control": "max-age=60"], body: request[header: "Cookie"] ?? "none")
            }
            let configuration = URLSessionConfiguration.ephemeral
            let storage = try #require(configuration.httpCookieStorage)
            let session = URLSession(configuration: configuration)
            let client = SimpleNetworking(baseURL: server.url(), session: session) {
                $0.cache = ResponseCache()
                $0.logger = .quiet
            }
            func text() async throws -> String? { try await client.send(SimpleNetworking.get("/x")).text }
            for id in ["1", "2", "1"] {
                let properties: [HTTPCookiePropertyKey: Any] = [
                    .name: "id", .value: id, .domain: "127.0.0.1", .path: "/",
                ]
                storage.setCookie(try #require(HTTPCookie(properties: properties)))
                for _ in 1...2 { #expect(try await text() == "id=\(id)") }
            }
            #expect(server.requests.count == 2)
        }
    #endif
}

/// Requests the content piece by piece.
private struct ToStream: Middleware {
    func intercept(
        _ request: TransportRequest,
        next: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        var changed = request
        changed.sink = .stream { _ in }
        return try await next(changed)
    }
}
