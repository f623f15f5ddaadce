import Foundation
import SimpleNetworkingCore
import SimpleNetworkingTesting
import Testing

/// What a trace says of a status handler's decision.
@Suite(.timeLimit(.minutes(5)))
struct TraceConsequenceTests {
    private let server = StubTransport().on("/x", .replies(.status(503), .status(200)))

    private func consequences(of handler: @escaping SimpleRequest.StatusHandler) async -> [String] {
        let api = SimpleNetworking(over: server)
        let request = api.get("/x") { $0.on(httpStatus: 503, handler) }
        await request.ended()
        return request.trace.handlers.map(\.description).compactMap { line in
            line.contains("status 503") ? line.components(separatedBy: " → ").last : nil
        }
    }

    @Test(arguments: [true, false])
    func aHandlerThatRetriesIsSaidToHaveRetried(decision: Bool) async {
        let lines = await consequences { request, _ in
            request.retry()
            return decision
        }
        #expect(lines == ["\(decision), retried"])
        #expect(server.requests.count == 2)
    }

    @Test
    func aHandlerThatRetriesLaterIsSaidToTakeTheRequestOver() async {
        let lines = await consequences { request, _ in
            DispatchQueue.global().async { request.retry() }
            return false
        }
        // The other thread may retry before the handler returns.
        #expect([["false, takes the request over"], ["false, retried"]].contains(lines))
    }

    @Test
    func aHandlerThatKeepsNothingIsSaidToStop() async {
        #expect(await consequences { _, _ in false } == ["false, stop"])
        #expect(server.requests.count == 1)
    }

    @Test
    func aHandlerThatReturnsTrueIsSaidToContinue() async {
        #expect(await consequences { _, _ in true } == ["true, continue"])
    }
}
