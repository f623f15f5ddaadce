import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking

/// What is said of a request that is made and forgotten.
@Suite(.timeLimit(.minutes(5)))
struct NeverExecutedTests {
    private let client = SimpleNetworking(host: "api.example.com") {
        $0.transport = StubTransport().on("*", .json("{}"))
        $0.logger = .quiet
    }

    /// What the log of a request says was done in vain, once the request is gone.
    private func complaints(of make: () async throws -> SimpleRequest) async rethrows -> [String] {
        var request: SimpleRequest? = try await make()
        let log = request?.core.log
        request = nil
        return (log?.events ?? []).compactMap { if case .ignored(let reason) = $0.kind { reason } else { nil } }
    }

    @Test
    func aRequestWithHandlersThatIsNeverExecutedSaysSoWhenItGoes() async {
        let complaints = await complaints { SimpleNetworking.get("/x").on(success: { _ in }) }
        let line = #line - 1
        #expect(complaints.count == 1)
        #expect(complaints.first?.contains("never executed") == true)
        #expect(complaints.first?.contains("SimpleNetworkingTests/NeverExecutedTests.swift:\(line)") == true)
    }

    @Test
    func aRequestWithoutHandlersMayGoUnexecuted() async {
        #expect(await complaints { SimpleNetworking.get("/x").header("A", "b") }.isEmpty)
    }

    @Test
    func aRequestThatWasExecutedHasNothingToSay() async {
        let complaints = await complaints {
            let request = client.get("/x") { $0.on(success: { _ in }) }
            await request.ended()
            return request
        }
        #expect(complaints.isEmpty)
    }

    @Test
    func aRequestWhoseCopyIsAwaitedHasNothingToSay() async throws {
        let complaints = try await complaints {
            let request = SimpleNetworking.get("/x").on(success: { _ in })
            _ = try await client.send(request)
            return request
        }
        #expect(complaints.isEmpty)
    }

    @Test
    func aRequestThatServesAsAPatternHasNothingToSay() async {
        let complaints = await complaints {
            let request = SimpleNetworking.get("/x").on(success: { _ in })
            let copy = request.copy()
            copy.execute(on: client)
            await copy.ended()
            return request
        }
        #expect(complaints.isEmpty)
    }

    @Test
    func aRequestThatWasCancelledInsteadHasNothingToSay() async {
        let complaints = await complaints {
            let request = SimpleNetworking.get("/x").on(success: { _ in })
            request.cancel()
            return request
        }
        #expect(complaints.isEmpty)
    }
}
