import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// What the core asks of features, whichever they are.
@Suite
struct FeatureTests {
    /// Data of a user, which is sent as a field.
    private final class Store: UserStore {
        let user = Locked(1)
        let heads = Recorder<Int>()
        func changeUser() { user.withLock { $0 += 1 } }
    }

    private enum Late: Feature {
        static let defaultValue: Store? = nil
        static let order = 2
        static func user(of store: Store?) -> Int? { store?.user.withLock { $0 } }
        static func depart(_ request: inout TransportRequest, for attempt: Attempt) throws -> HeadReaction? {
            guard let store = attempt[Late.self] else { return nil }
            guard try attempt.claim(store.user.withLock { $0 }, of: Late.self, for: request) else { return nil }
            request.headers.append("X-Order", "late")
            return { status, _ in store.heads.add(status) }
        }
    }

    private enum Early: Feature {
        static let defaultValue = false
        static let order = 1
        static func depart(_ request: inout TransportRequest, for attempt: Attempt) throws -> HeadReaction? {
            if attempt[Early.self] { request.headers.append("X-Order", "early") }
            return nil
        }
    }

    @Test
    func featuresAreAskedInTheirOrder() async throws {
        let server = StubTransport().on("*", .json("{}"))
        let store = Store()
        let api = SimpleNetworking(over: server) {
            $0[Late.self] = store
            $0[Early.self] = true
        }
        _ = try await api.send(SimpleNetworking.get("/x"))
        #expect(server.requests.first?.headers.values(for: "X-Order") == ["early", "late"])
        #expect(store.heads.elements == [200])
    }

    @Test
    func aRequestMaySetAFeatureThatItsClientHasNot() async throws {
        let server = StubTransport().on("*", .json("{}"))
        let api = SimpleNetworking(over: server)
        _ = try await api.send(SimpleNetworking.get("/x").option(Early.self, true))
        _ = try await api.send(SimpleNetworking.get("/x"))
        #expect(server.requests.map { $0.headers.values(for: "X-Order") } == [["early"], []])
    }

    @Test
    func aRequestIsNotSentAgainForTheNextUserOfAFeaturesData() async throws {
        let server = StubTransport().on("*", .status(503), times: 1).on("*", .json("{}"))
        let store = Store()
        let api = SimpleNetworking(over: server) { $0[Late.self] = store }
        let error = await api.get("/x") { request in
            request.on(httpStatus: 503) { request, _ in
                store.changeUser()
                request.retry()
                return false
            }
        }.ended().error
        #expect(server.requests.count == 1)
        guard case .authentication? = error else { Issue.record("\(String(describing: error))"); return }
    }
}
