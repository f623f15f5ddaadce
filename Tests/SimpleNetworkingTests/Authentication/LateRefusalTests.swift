import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// A server whose every refresh revokes the token before, and resources that refuse every token.
@Suite(.timeLimit(.minutes(5)))
struct LateRefusalTests {
    /// Counts tokens: only the newest is valid, and `/auth` issues the next one.
    private final class RevokingServer: Transport {
        private struct State {
            var newest = 0
            var log: [String] = []
            /// The accepted token, if not the newest.
            var valid: String?
        }

        private let state = Locked(State())
        /// Holds up the first retries of `/notes`, those with the token of the first refresh.
        let retries = Gate()
        /// Holds up the first attempts of `/notes` and `/refused/held`.
        let attempts = Gate()

        var log: [String] { state.withLock(\.log) }

        func count(_ path: String) -> Int { log.filter { $0.hasPrefix(path + " ") }.count }

        /// Makes every token invalid until the next refresh.
        func revoke() { state.withLock { $0.valid = "none" } }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let (path, carried) = (request.url.path, request.headers["Authorization"] ?? "")
            state.withLock { $0.log.append(path + " " + carried) }
            if path == "/auth" {
                let token = state.withLock { state in
                    state.newest += 1
                    state.valid = nil
                    return "t\(state.newest)"
                }
                return TransportResponse(httpStatus: 200, data: Data(#"{"token": "\#(token)"}"#.utf8))
            }
            let isNote = path.hasPrefix("/notes")
            if carried == "Bearer old", isNote || path == "/refused/held" { try await attempts.wait() }
            if carried == "Bearer t1", isNote { try await retries.wait() }
            let valid = state.withLock { $0.valid ?? "t\($0.newest)" }
            let isAccepted = carried == "Bearer \(valid)" && !path.hasPrefix("/refused")
            return TransportResponse(httpStatus: isAccepted ? 200 : 401, data: Data("seen".utf8))
        }
    }

    private let server = RevokingServer()
    private let clock = VirtualClock()

    @Test(arguments: RefreshWay.allCases)
    func aResourceThatAlwaysRefusesEndsNoOtherRequestWith401(way: RefreshWay) async throws {
        let client = way.client(server, clock: clock) { $0.timeout = 1000 }
        let requests = (0..<99).map { client.get("/notes/\($0)") }
        try await withinSeconds(120) { await server.attempts.arrivals(99) }
        server.attempts.open()
        // They are under way with the first new token, which the next refresh revokes.
        try await withinSeconds(120) { await server.retries.arrivals(99) }
        let refused = await client.get("/refused").ended()
        #expect(refused.error?.response?.httpStatus == 401)
        server.retries.open()
        for request in requests { #expect(await request.ended().value != nil, "\(request.trace)") }
        #expect(server.count("/auth") <= 2)
    }

    @Test(arguments: RefreshWay.allCases)
    func oneOfAHundredThatIsAlwaysRefusedEndsAlone(way: RefreshWay) async throws {
        let client = way.client(server, clock: clock) { $0.timeout = 1000 }
        server.retries.open()
        let requests = (0..<100).map { client.get($0 == 50 ? "/refused/held" : "/notes/\($0)") }
        // Were it not held, its refresh could come before the others have begun.
        try await withinSeconds(120) { await server.attempts.arrivals(100) }
        server.attempts.open()
        for (index, request) in requests.enumerated() {
            #expect(await request.ended().error?.httpStatus == (index == 50 ? 401 : nil), "\(request.trace)")
        }
    }

    @Test(arguments: RefreshWay.allCases)
    func aResourceThatAlwaysRefusesHasTheTokenRefreshedOnceAMinute(way: RefreshWay) async throws {
        let client = way.client(server, clock: clock) { $0.timeout = 1000 }
        for _ in 0..<10 { #expect(await client.get("/refused?page=2").ended().error?.httpStatus == 401) }
        #expect(server.count("/auth") == 1)
        #expect(server.count("/refused") == 11)
        clock.advance(by: 59)
        #expect(await client.get("/refused").ended().error?.httpStatus == 401)
        #expect(server.count("/auth") == 1)
        clock.advance(by: 2)
        for _ in 0..<10 { #expect(await client.get("/refused").ended().error?.httpStatus == 401) }
        #expect(server.count("/auth") == 2)
    }

    @Test(arguments: RefreshWay.allCases)
    func manyResourcesThatAlwaysRefuseHaveTheTokenRefreshedThreeTimesAMinute(way: RefreshWay) async throws {
        let client = way.client(server, clock: clock) { $0.timeout = 1000 }
        for number in 0..<10 { #expect(await client.get("/refused/\(number)").ended().error?.httpStatus == 401) }
        #expect(server.count("/auth") == 3)
    }

    @Test(arguments: RefreshWay.allCases)
    func aRevokedTokenIsRefreshedAtOnceAlthoughAResourceAlwaysRefuses(way: RefreshWay) async throws {
        let client = way.client(server, clock: clock) { $0.timeout = 1000 }
        server.attempts.open()
        server.retries.open()
        #expect(await client.get("/refused").ended().error?.httpStatus == 401)
        for _ in 0..<5 {
            server.revoke()
            #expect(await client.get("/notes/1").ended().value?.attempt == 2)
            #expect(await client.get("/refused").ended().error?.httpStatus == 401)
        }
        #expect(server.count("/auth") == 6)
    }

    /// It is revoked while the content arrives, and refreshed once more.
    @Test(arguments: RefreshWay.allCases)
    func theHeadOfADownloadAcceptsTheCredential(way: RefreshWay) async throws {
        let folder = ScratchFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let newest = Locked(0)
        let isCut = Locked(false)
        let server = StubTransport()
            .on("/auth") { _ in .json(#"{"token": "t\#(newest.next())"}"#) }
            .on("/film") { request in
                guard request.headers["Authorization"] == "Bearer t\(isCut.withLock { $0 } ? 2 : 1)" else {
                    return .status(401)
                }
                if isCut.exchange(true) {
                    let fields: HTTPHeaders = ["ETag": "\"v1\"", "Content-Range": "bytes 4-9/10"]
                    return .pieces("567", "890", status: 206, headers: fields)
                }
                return StubResponse.pieces("1234", "567890", headers: ["ETag": "\"v1\"", "Content-Length": "10"])
                    .cut(after: 4)
            }
        let client = way.client(server) { $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(0)) }
        let file = folder.url.appendingPathComponent("film")
        let film = client.get("/film") { $0.download(to: file) }
        #expect(await film.ended().value != nil, "\(film.trace)")
        #expect(try String(contentsOf: file, encoding: .utf8) == "1234567890")
        #expect(newest.withLock { $0 } == 2)
    }

    /// The stream begins anew after its connection was lost.
    @Test(arguments: RefreshWay.allCases)
    func theHeadOfAnEventStreamAcceptsTheCredential(way: RefreshWay) async throws {
        let newest = Locked(0)
        let isCut = Locked(false)
        let server = StubTransport()
            .on("/auth") { _ in .json(#"{"token": "t\#(newest.next())"}"#) }
            .on("/news") { request in
                guard request.headers["Authorization"] == "Bearer t\(isCut.withLock { $0 } ? 2 : 1)" else {
                    return .status(401)
                }
                if isCut.exchange(true) { return .events("two") }
                return StubResponse.pieces("retry: 1\ndata: one\n\n", "data: t", type: "text/event-stream").cut(
                    after: 25
                )
            }
        let client = way.client(server)
        var news: [String] = []
        for try await event in client.events(for: SimpleNetworking.get("/news"), reconnects: true) {
            news.append(event.data)
            if event.data == "two" { break }
        }
        #expect(news == ["one", "two"])
        #expect(newest.withLock { $0 } == 2)
    }
}
