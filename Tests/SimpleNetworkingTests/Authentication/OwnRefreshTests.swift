import SimpleNetworkingPagination
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Requests of a refresh that are sent by handlers: they must not wait for the refresh that waits for them.
@Suite(.timeLimit(.minutes(5)))
struct OwnRefreshTests {
    /// How a refresh comes to its second request, which is refused.
    enum Course: CaseIterable, Sendable { case retry, retryLater, afresh, secondStep, secondPage }

    private static func server() -> StubTransport {
        StubTransport()
            .on("/x", .status(401))
            .on("/auth", .status(503), times: 1)
            .on("/auth", .text("who?", status: 401))
            .on("/step", .json("{}"))
            .on("/step/2", .text("who?", status: 401))
            .on("/list", .json(#"{"results":[1],"next":"/list/2"}"#))
            .on("/list/2", .text("who?", status: 401))
    }

    /// Makes the requests of a refresh.
    private static func refresh(_ course: Course, _ api: SimpleNetworking, _ done: @escaping (any Error) -> Void) {
        switch course {
        case .retry, .retryLater:
            api.get("/auth") {
                $0.on(httpStatus: 503) { request, _ in
                    request.retry(after: course == .retry ? 0 : 0.01)
                    return false
                }
                .on(error: { done($0) })
            }
        case .afresh:
            let request = SimpleNetworking.get("/auth")
            let left = Locked(Optional(request))
            request.on(error: { error in
                if let request = left.take() { request.execute(on: api) } else { done(error) }
            })
            .execute(on: api)
        case .secondStep:
            api.get("/step") {
                $0.on(success: { _ in api.get("/step/2") { $0.on(error: { done($0) }) } }).on(error: { done($0) })
            }
        case .secondPage:
            api.get("/list") {
                $0.on(page: .links(), of: Int.self, at: "results") { _ in true }.on(error: { done($0) })
            }
        }
    }

    /// Has its token refreshed by any refused request.
    private final class Naive: SimpleNetworking, @unchecked Sendable {
        let course = Locked(Course.retry)

        override func execute(request: SimpleRequest) {
            if request.httpStatusHandlers[401] == nil {
                request.on(httpStatus: 401) { request, _ in
                    self.reauthenticate(request) { done in refresh(self.course.withLock { $0 }, self) { done($0) } }
                    return false
                }
            }
            super.execute(request: request)
        }
    }

    private func verify(_ outcome: Outcome, _ server: StubTransport) throws {
        guard case .authentication(let failure)? = outcome.error else { throw Surprise("\(outcome)") }
        #expect((failure.underlying as? SimpleNetworkingError)?.response?.text == "who?", "\(failure)")
        #expect(server.requests.count == 3)
    }

    @Test(arguments: Course.allCases)
    func aHandlersRequestIsNotRefreshedByWhatWaitsForIt(course: Course) async throws {
        let server = Self.server()
        let client = Naive(over: server) { $0.refreshTimeout = 20 }
        client.course.withLock { $0 = course }
        try verify(await client.get("/x").ended(), server)
    }

    @Test(arguments: Course.allCases)
    func aHandlersRequestIsSentUnsignedWhileItsAuthenticatorRefreshes(course: Course) async throws {
        let server = Self.server()
        let client = SimpleNetworking(over: server) { $0.refreshTimeout = 20 }
        client.authenticate(
            with: BearerAuthenticator(token: Secret("t0")) { [weak client] _ in
                guard let client else { throw RefreshFailure.forgotten }
                return try await withCheckedThrowingContinuation { continuation in
                    Self.refresh(course, client) { continuation.resume(throwing: $0) }
                }
            }
        )
        try verify(await client.get("/x").ended(), server)
        #expect(server.requests.dropFirst().allSatisfy { $0.headers["Authorization"] == nil })
    }
}
