import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Requests at random to a faulty server, some of them cancelled, over real sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RealStormTests {
    private static let replies: [String: RawServer.Reply] = [
        "/ok": .json("{}"), "/reset": .reset, "/closed": .closed, "/truncated": .truncated, "/garbage": .garbage,
        "/chunk": .badChunk, "/gzip": .badGzip, "/silence": .silence, "/loop": .redirect(to: "/loop"),
        "/moved": .redirect(to: "/ok"), "/basic": .unauthorized(), "/busy": .json("{}", status: 503),
    ]

    @Test(arguments: Engine.allCases)
    func everyRequestEndsOnceOnAFaultyServer(engine: Engine) async throws {
        let server = try RawServer { Self.replies[$0.path] ?? .closed }
        let client = try engine.client(server) { $0.timeout = 0.5 }
        let ends = try await withinSeconds(240) {
            await withTaskGroup(of: Int.self) { group in
                for index in 0..<Storm.size(250, full: 1500) {
                    if index >= 32 { _ = await group.next() }
                    group.addTask { await Self.countEnds(client, path: Self.replies.keys.randomElement() ?? "/ok") }
                }
                return await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
        }
        #expect(ends == [1])
    }

    private static func countEnds(_ client: SimpleNetworking, path: String) async -> Int {
        let ends = Recorder<Bool>()
        let request = client.get(path) {
            $0.on(httpStatus: 401, { _, _ in true })
                .on(
                    httpStatus: 503,
                    { request, _ in
                        request.retry()
                        return false
                    }
                )
                .on(isolation: nil, completion: { _ in ends.add(true) })
        }
        if Bool.random() {
            for _ in 0..<Int.random(in: 0...50) { await Task.yield() }
            request.cancel()
        }
        await request.ended()
        await request.ended()
        return ends.elements.count
    }
}
