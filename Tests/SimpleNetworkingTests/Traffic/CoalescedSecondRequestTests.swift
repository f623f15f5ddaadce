import Foundation
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// Equal requests that share a transfer, together with what makes requests differ or begin again.
@Suite(.timeLimit(.minutes(1)))
struct CoalescedSecondRequestTests {
    private let server = StubTransport()
    private let clock = VirtualClock()
    private let gate = Gate()

    private func client(
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) -> SimpleNetworking {
        SimpleNetworking(over: server, clock: clock) {
            $0.traffic.coalesces = true
            configure(&$0)
        }
    }

    /// Executes two equal requests, the second of which joins the first one's transfer.
    private func two(_ make: () -> SimpleRequest) async throws -> [SimpleRequest] {
        let first = make()
        await gate.arrivals(1)
        let second = make()
        try await eventually { second.trace.description.contains("joins") }
        return [first, second]
    }

    /// How often one of the requests has joined a transfer.
    private func joins(_ requests: [SimpleRequest]) -> Int {
        requests.reduce(0) { $0 + $1.trace.description.components(separatedBy: "joins").count - 1 }
    }

    private func expectSuccess(_ requests: [SimpleRequest]) async {
        for request in requests { #expect(await request.ended().value?.text == "good", "\(request.trace)") }
    }

    @Test
    func aPolicysRetriesAreSharedToo() async throws {
        let second = Gate()
        server.on("/x", .status(503).after(gate), times: 1).on("/x", .text("good").after(second))
        let client = client { $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(5)) }
        let requests = try await two { client.get("/x") }
        gate.open()
        await clock.alarms(2, for: .retry)
        clock.advance(by: 5)
        await second.arrivals(1)
        try await eventually { joins(requests) == 2 }
        second.open()
        await expectSuccess(requests)
        #expect(server.requests.count == 2)
    }

    @Test
    func oneReauthenticationIsEnoughForAllThatShared() async throws {
        server.on("/x", .status(401).after(gate), times: 1).on("/x", .text("good"))
        let refreshes = Recorder<String>()
        let client = client()
        let requests = try await two {
            client.get("/x") { request in
                request.on(httpStatus: 401) { request, _ in
                    client.reauthenticate(request) { done in
                        refreshes.add("refresh")
                        client.headers["Authorization"] = "Bearer new"
                        done()
                    }
                    return false
                }
            }
        }
        gate.open()
        await expectSuccess(requests)
        #expect(refreshes.elements.count == 1)
        #expect(server.requests.dropFirst().allSatisfy { $0.headers["Authorization"] == "Bearer new" })
    }

    @Test
    func theNextUserDoesNotJoinTheTransferOfTheUserBefore() async throws {
        server.on("/me") { [gate] request in
            let name = request.headers["Authorization"] ?? "nobody"
            if name == "Bearer ada" { try await gate.wait() }
            return .text(name)
        }
        let client = client()
        client.headers["Authorization"] = "Bearer ada"
        let former = client.get("/me")
        await gate.arrivals(1)
        client.signOut()
        #expect(await client.get("/me").ended().value?.text == "nobody")
        client.headers["Authorization"] = "Bearer bob"
        #expect(await client.get("/me").ended().value?.text == "Bearer bob")
        gate.open()
        #expect(await former.ended().value?.text == "Bearer ada")
    }

    @Test
    func aTransferWithOtherCookiesIsNotJoinedAndTheJarHasThoseOfTheSharedOne() async throws {
        server.on("/cookie", .json("{}", headers: ["Set-Cookie": "sid=1; Path=/"]))
            .on("/x", .text("good", headers: ["Set-Cookie": "seen=1; Path=/"]).after(gate), times: 1)
            .on("/x", .text("other"))
        let jar = CookieJar()
        let client = client { $0.cookieJar = jar }
        let requests = try await two { client.get("/x") }
        await client.get("/cookie").ended()
        #expect(await client.get("/x").ended().value?.text == "other")
        gate.open()
        await expectSuccess(requests)
        #expect(server.requests(to: "/x").map { $0.headers["Cookie"] } == [nil, "sid=1"])
        #expect(Set(jar.cookies(for: client.baseURL).map(\.pair)) == ["sid=1", "seen=1"])
    }

    @Test
    func twoListsShareEachPage() async throws {
        let second = Gate()
        server.on("/list", .json("[1]", headers: ["Link": #"</list?page=2>; rel="next""#]).after(gate), times: 1)
            .on("/list", .json("[2]").after(second))
        let client = client()
        let items = Recorder<Int>()
        let requests = try await two {
            client.get("/list") { request in
                request.on(page: .linkHeader(), of: Int.self) { page in
                    for item in page.items { items.add(item) }
                    return true
                }
            }
        }
        gate.open()
        await second.arrivals(1)
        try await eventually { joins(requests) == 2 }
        second.open()
        for request in requests { #expect(await request.ended().value != nil) }
        #expect(server.requests.count == 2)
        #expect(items.elements.sorted() == [1, 1, 2, 2])
    }

    @Test
    func aRequestThatIsReplacedLeavesTheTransferToTheOther() async throws {
        server.on("/x", .text("good").after(gate)).on("*", .json("{}"))
        let client = client()
        let requests = try await two { client.get("/x") }
        let replaced = client.get("/x") { $0.replacing("key") }
        try await eventually { replaced.trace.description.contains("joins") }
        #expect(await client.get("/newer") { $0.replacing("key") }.ended().value != nil)
        #expect(await replaced.ended().error?.isCancellation == true)
        gate.open()
        await expectSuccess(requests)
        #expect(server.requests(to: "/x").count == 1)
    }

    /// A key makes each of them an operation of its own.
    @Test(arguments: [HTTPMethod.get, .post])
    func requestsWithAnIdempotencyKeyShareNothing(method: HTTPMethod) async throws {
        server.on("/x", .text("good").after(gate))
        let client = client()
        let requests = (0..<2).map { _ in
            SimpleRequest(method, path: "/x").idempotent().execute(on: client)
        }
        await gate.arrivals(2)
        gate.open()
        await expectSuccess(requests)
        #expect(Set(server.requests.map { $0.headers["Idempotency-Key"] }).count == 2)
    }

    /// Their content doesn't stay in memory, or their request has content.
    @Test(arguments: [.download, .stream, .eventStream, .upload] as [SecondRequest.Cause])
    func transfersOfFilesAndStreamsAreNotShared(kind: SecondRequest.Cause) async throws {
        let folder = ScratchFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let type = kind == .eventStream ? "text/event-stream" : "text/plain"
        server.on("/x", .pieces("data: good\n\n", type: type).after(gate))
        let client = client()
        let ends = (0..<2).map { number in
            Task { () -> Int in
                let request = SimpleRequest(kind == .upload ? .post : .get, path: "/x")
                switch kind {
                case .download:
                    return try await client.download(for: request, to: folder.url.appendingPathComponent("\(number)"))
                        .value.isFileURL ? 1 : 0
                case .stream: return try await client.bytes(for: request).reduce(0) { count, _ in count + 1 }
                case .eventStream: return try await client.events(for: request).reduce(0) { count, _ in count + 1 }
                default:
                    request.body(data: .film, contentType: .text).resumesUpload()
                    return try await client.send(request).data.isEmpty ? 0 : 1
                }
            }
        }
        await gate.arrivals(2)
        gate.open()
        for end in ends { #expect(try await end.value == 1) }
        #expect(server.requests.count == 2)
    }

    @Test
    func aSharedTransferWaitsAsLongAsTheServerSaysAndIsSentOnce() async throws {
        server.on("/limited", .status(429, headers: ["Retry-After": "30"])).on("/x", .text("good"))
        let client = client { $0.traffic.respectsRateLimits = true }
        await client.get("/limited").ended()
        let requests = (0..<2).map { _ in client.get("/x") }
        try await eventually { requests.contains { $0.trace.description.contains("joins") } }
        await clock.alarms(1, for: .traffic)
        #expect(server.requests(to: "/x").isEmpty)
        clock.advance(by: 30)
        await expectSuccess(requests)
        #expect(server.requests(to: "/x").count == 1)
    }

    /// Each request has types of its own.
    @Test
    func aSharedResponseIsValidatedForEachRequest() async throws {
        server.on("/x", .text("good").after(gate))
        let client = client()
        let requests = try await two { client.get("/x") }
        let strict = client.get("/x") { $0.acceptable(types: [.json]) }
        try await eventually { strict.trace.description.contains("joins") }
        gate.open()
        await expectSuccess(requests)
        guard case .unacceptableContentType? = await strict.ended().error else { throw Surprise("\(strict.trace)") }
        #expect(server.requests.count == 1)
    }

    private struct Noting: Middleware {
        let seen = Recorder<Int>()

        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            let response = try await next(request)
            seen.add(response.httpStatus)
            return response
        }
    }

    @Test
    func middlewareSeesEachRequestThatShares() async throws {
        server.on("/x", .text("good").after(gate))
        let noting = Noting()
        let client = client { $0.middleware = [noting] }
        let requests = try await two { client.get("/x") }
        gate.open()
        await expectSuccess(requests)
        #expect(noting.seen.elements == [200, 200])
        #expect(server.requests.count == 1)
    }
}
