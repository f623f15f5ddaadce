import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// What is logged for a request that is never executed.
@Suite(.timeLimit(.minutes(5)))
struct NeverExecutedTests {
    private let client = SimpleNetworking(over: StubTransport().on("*", .json("{}")))

    /// What is logged when the request is released.
    private func complaint(of make: () async throws -> SimpleRequest) async rethrows -> String? {
        let request = try await make()
        // Else its end logs what is looked at here.
        defer { request.cancel() }
        return request.state.withLock { $0.complaint }
    }

    @Test
    func requestWithHandlersThatIsReleasedUnexecutedLogsAWarning() async {
        let complaint = await complaint { SimpleNetworking.get("/x").on(success: { _ in }) }
        let line = #line - 1
        #expect(complaint?.contains("never executed") == true)
        #expect(complaint?.contains("SimpleNetworkingTests/NeverExecutedTests.swift:\(line)") == true)
    }

    @Test
    func requestWithoutHandlersThatIsReleasedUnexecutedLogsNothing() async {
        #expect(await complaint { SimpleNetworking.get("/x").header("A", "b") } == nil)
    }

    @Test
    func executedRequestLogsNoWarning() async {
        let complaint = await complaint {
            let request = client.get("/x") { $0.on(success: { _ in }) }
            await request.ended()
            return request
        }
        #expect(complaint == nil)
    }

    @Test
    func awaitedRequestLogsNoWarning() async throws {
        let complaint = try await complaint {
            let request = SimpleNetworking.get("/x").on(success: { _ in })
            _ = try await client.send(request)
            return request
        }
        #expect(complaint == nil)
    }

    @Test
    func copiedRequestLogsNoWarning() async {
        let complaint = await complaint {
            let request = SimpleNetworking.get("/x").on(success: { _ in })
            let copy = request.copy()
            copy.execute(on: client)
            await copy.ended()
            return request
        }
        #expect(complaint == nil)
    }

    @Test
    func cancelledRequestLogsNoWarning() async {
        let complaint = await complaint {
            let request = SimpleNetworking.get("/x").on(success: { _ in })
            request.cancel()
            return request
        }
        #expect(complaint == nil)
    }
}
