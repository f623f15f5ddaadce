import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Requests that replace others, together with the user, hooks and validation.
@Suite(.timeLimit(.minutes(1)))
struct ReplacingPairTests {
    private let server = StubTransport()
    private let gate = Gate()

    /// Prepares the older request slowly.
    private final class Slow: SimpleNetworking, @unchecked Sendable {
        let isReady = Gate()

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            // It doesn't notice a cancellation.
            if attempt.url.path == "/older" { await Task { [isReady] in try? await isReady.wait() }.value }
        }
    }

    @Test
    func nothingIsSentThatIsReplacedWhileAHookPreparesIt() async throws {
        server.on("*", .json("{}"))
        let client = Slow(over: server)
        let older = client.get("/older") { $0.replacing("key") }
        await client.isReady.arrivals(1)
        #expect(await client.get("/newer") { $0.replacing("key") }.ended().value != nil)
        #expect(await older.ended().error?.isCancellation == true)
        client.isReady.open()
        for _ in 0..<5 { await client.get("/other").ended() }
        #expect(server.requests(to: "/older").isEmpty)
    }

    /// The next user's search ends that of the user before, whose response nobody gets.
    @Test
    func theNextUsersRequestReplacesThatOfTheUserBefore() async throws {
        server.on("/search") { [gate] request in
            let name = request.headers["Authorization"] ?? "nobody"
            if name == "Bearer ada" { try await gate.wait() }
            return .text(name)
        }
        let client = SimpleNetworking(over: server)
        client.headers["Authorization"] = "Bearer ada"
        let results = Recorder<String>()
        func search() -> SimpleRequest {
            client.get("/search") { request in
                request.replacing("search").on(success: { (response: SimpleResponse) in results.add(response.text ?? "")
                })
            }
        }
        let former = search()
        await gate.arrivals(1)
        client.signOut()
        client.headers["Authorization"] = "Bearer bob"
        #expect(await search().ended().value?.text == "Bearer bob")
        #expect(await former.ended().error?.isCancellation == true)
        gate.open()
        #expect(results.elements == ["Bearer bob"])
    }

    /// The older one has ended, even if the newer one fails.
    @Test
    func aNewerRequestWhoseResponseIsNotAcceptableHasReplacedTheOlder() async throws {
        server.on("/older", .json("{}").after(gate)).on("/newer", .text("no"))
        let client = SimpleNetworking(over: server)
        let ends = Recorder<String>()
        let older = client.get("/older") { $0.replacing("key").on(completion: { _ in ends.add("older") }) }
        await gate.arrivals(1)
        let newer = client.get("/newer") { request in
            request.replacing("key").acceptable(types: [.json]).on(completion: { _ in ends.add("newer") })
        }
        guard case .unacceptableContentType? = await newer.ended().error else { throw Surprise("\(newer.trace)") }
        #expect(await older.ended().error?.isCancellation == true)
        gate.open()
        for _ in 0..<5 { await client.get("/newer").ended() }
        #expect(ends.elements == ["older", "newer"])
    }

    /// It isn't the request's end that makes it the newer one.
    @Test
    func aRequestThatIsCancelledAtOnceHasReplacedTheOlder() async throws {
        server.on("*", .json("{}").after(gate))
        let client = SimpleNetworking(over: server)
        let ends = Recorder<String>()
        let older = client.get("/older") { $0.replacing("key").on(completion: { _ in ends.add("older") }) }
        await gate.arrivals(1)
        let newer = client.get("/newer") { $0.replacing("key").on(completion: { _ in ends.add("newer") }) }
        newer.cancel()
        #expect(await newer.ended().error?.isCancellation == true)
        #expect(await older.ended().error?.isCancellation == true)
        gate.open()
        #expect(await client.get("/x") { $0.replacing("key") }.ended().value != nil)
        #expect(ends.elements.sorted() == ["newer", "older"])
    }
}
