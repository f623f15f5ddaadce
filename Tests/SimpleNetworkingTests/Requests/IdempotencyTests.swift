import Foundation
import SimpleNetworkingPagination
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// The `Idempotency-Key` of a request: one for each execution, however often that is sent.
@Suite(.timeLimit(.minutes(5)))
struct IdempotencyTests {
    private let server = StubTransport()
    private let atOnce = RetryPolicy(attempts: 3, backoff: .constant(0))

    private var keys: [String] { server.requests.map { $0.headers["Idempotency-Key"] ?? "none" } }

    private func client(_ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }) -> SimpleNetworking {
        SimpleNetworking(over: server, configure)
    }

    @Test(arguments: [HTTPMethod.post, .patch, HTTPMethod(rawValue: "PROPPATCH")])
    func aPolicyRetriesAnyMethodWithOneKey(method: HTTPMethod) async throws {
        server.on("/orders", .status(503), times: 2).on("/orders", .status(201))
        let request = SimpleNetworking.request(method, path: "/orders").idempotent().retry(atOnce)
        #expect(await request.execute(on: client()).ended().value?.attempt == 3)
        #expect(keys.count == 3)
        #expect(Set(keys).count == 1)
        #expect(try UUID(uuidString: #require(keys.first)) != nil)
    }

    @Test
    func aPostWithoutAKeyIsNotRetried() async {
        server.on("/orders", .status(503))
        await client().post("/orders") { $0.retry(atOnce) }.ended()
        #expect(keys == ["none"])
    }

    @Test
    func retryByHandKeepsTheKey() async {
        server.on("/orders", .status(409), times: 1).on("/orders", .status(201))
        let request = client().post("/orders") {
            $0.idempotent().on(
                httpStatus: 409,
                { request, _ in
                    request.retry()
                    return false
                }
            )
        }
        await request.ended()
        #expect(keys.count == 2)
        #expect(Set(keys).count == 1)
    }

    @Test
    func retryAfterTheEndKeepsTheKey() async {
        server.on("/orders", .status(500), times: 1).on("/orders", .status(201))
        let request = client().post("/orders") { $0.idempotent() }
        await request.ended()
        request.retry()
        await request.ended()
        #expect(keys.count == 2)
        #expect(Set(keys).count == 1)
    }

    @Test
    func aRefreshKeepsTheKey() async {
        server.on("/orders", .status(401), times: 1).on("/orders", .status(201))
        let bearer = BearerAuthenticator(token: Secret("old")) { _ in Secret("new") }
        let request = client { $0.authenticator = bearer }.post("/orders") { $0.idempotent() }
        #expect(await request.ended().value?.httpStatus == 201)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
        #expect(Set(keys).count == 1)
    }

    @Test
    func eachExecutionMakesAKeyOfItsOwn() async throws {
        server.on("/orders", .status(201))
        let api = client()
        let request = SimpleNetworking.post("/orders").idempotent()
        await request.execute(on: api).ended()
        await request.execute(on: api).ended()
        try await api.send(request)
        try await api.send(request)
        #expect(Set(keys).count == 4)
        #expect(!keys.contains("none"))
    }

    @Test
    func aFurtherPageHasAKeyOfItsOwn() async throws {
        let next: HTTPHeaders = ["Link": #"<https://api.example.com/list?page=2>; rel="next""#]
        server.on("/list", .json("[1]", headers: next), times: 1).on("/list", .status(503), times: 1)
            .on("/list", .json("[2]"))
        let request = client { $0.retryPolicy = atOnce }.post("/list") {
            $0.idempotent().on(page: .linkHeader(), of: Int.self) { _ in true }
        }
        await request.ended()
        try #require(keys.count == 3)
        #expect(keys[0] != keys[1])
        #expect(keys[1] == keys[2])
    }

    @Test
    func theCallersKeyIsSentAsItIs() async {
        server.on("/orders", .status(201))
        let api = client { $0.defaultHeaders["Idempotency-Key"] = "client's" }
        let request = SimpleNetworking.post("/orders").idempotent().idempotent(key: "order-7")
        await request.execute(on: api).ended()
        await request.execute(on: api).ended()
        await api.post("/orders").ended()
        #expect(keys == ["order-7", "order-7", "client's"])
    }

    @Test
    func whatIsSaidLastCounts() async throws {
        server.on("/orders", .status(201))
        let api = client()
        await api.post("/orders") { $0.header("idempotency-key", "7").idempotent() }.ended()
        await api.post("/orders") { $0.idempotent().header("idempotency-key", "7") }.ended()
        await api.post("/orders") { $0.idempotent().header("Idempotency-Key", nil) }.ended()
        try #require(keys.count == 3)
        #expect(keys[0] != "7" && keys[0] != "none")
        #expect(keys[1...] == ["7", "none"])
    }

    @Test
    func anEmptyKeyIsRefusedSinceItWouldOnlyAllowRetries() async {
        let error = await client().post("/orders") { $0.idempotent(key: "").retry(atOnce) }.ended().error
        #expect(error?.description == "The request was not sent: its idempotency key is empty.")
        #expect(server.requests.isEmpty)
    }

    @Test
    func traceAndCurlShowTheKeyOfTheExecution() async throws {
        server.on("/orders", .status(201))
        let api = client()
        let request = SimpleNetworking.post("/orders").idempotent()
        await request.execute(on: api).ended()
        let key = try #require(keys.first)
        let line = "attempt 1: POST https://api.example.com/orders, Idempotency-Key: \(key)"
        #expect(request.trace.description.contains(line))
        #expect(try await request.curl(on: api).contains("-H 'Idempotency-Key: \(key)'"))
        let other = SimpleNetworking.post("/orders").idempotent()
        #expect(try await other.curl(on: api).contains("-H 'Idempotency-Key: "))
    }

    @Test
    func aSimulationMakesTheSameKeysAgain() throws {
        func key(_ number: Double) -> String {
            let scheduler = Scheduler(executor: NoExecutor(), run: { $0() }, random: { _ in number })
            return RequestSpecification.makeIdempotencyKey(on: scheduler)
        }
        #expect(key(0) == "00000000-0000-4000-8000-000000000000")
        #expect(key(255) == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    }

    private final class NoExecutor: Executor {
        func enqueue(_ job: UnownedJob) {}
    }
}
