import Foundation
import Testing

@testable import SimpleNetworkingCore

/// Each test has the name of the case whose behaviour it rebuilds, from what that case does and wants.
@Suite("Every engine: the cases of Apple's HTTP API proposal", .timeLimit(.minutes(5)))
struct HTTPAPIProposalTests {
    /// Plays the case with the calling function's name.
    ///
    /// An engine that is said to deviate has to fail, or the article is wrong.
    func play(
        on engine: Engine,
        function: String = #function,
        _ test: () async throws -> Void
    ) async throws {
        let name = String(function.prefix { $0 != "(" })
        let row = try #require(ProposalCase(rawValue: name))
        guard let deviation = row.deviation(of: engine) else { return try await test() }
        // EngineLimitationTests show the end of the process.
        if row == .testTrailerRead, engine.lacks(.trailers) { return }
        await withKnownIssue("\(deviation.reason)") { try await test() }
    }

    /// A client to which each status is a success, as to the proposal's clients.
    func client(_ engine: Engine, _ server: RawServer) throws -> SimpleNetworking {
        try engine.client(server) { $0.acceptableStatuses = HTTPStatuses(100...999) }
    }
}

// MARK: Responses as they are on the wire

extension HTTPAPIProposalTests {
    private func response(_ engine: Engine, _ lines: [String]) async throws -> SimpleResponse {
        let server = try RawServer { _ in .raw(lines.joined(separator: "\r\n")) }
        return try await client(engine, server).send(SimpleNetworking.get("/"))
    }

    private func expectError(_ engine: Engine, _ lines: [String]) async {
        await #expect(throws: SimpleNetworkingError.self) { try await response(engine, lines) }
    }

    @Test(arguments: Engine.allCases)
    func testNotHTTP(engine: Engine) async throws {
        try await play(on: engine) { await expectError(engine, ["FOOBAR"]) }
    }

    @Test(arguments: Engine.allCases)
    func testBadHTTPCase(engine: Engine) async throws {
        try await play(on: engine) { await expectError(engine, ["Http/1.1 200 OK", "Connection: close", "", ""]) }
    }

    @Test(arguments: Engine.allCases)
    func testNoReason(engine: Engine) async throws {
        try await play(on: engine) {
            let response = try await response(engine, ["HTTP/1.1 200", "Connection: close", "", ""])
            #expect(response.httpStatus == 200)
        }
    }

    @Test(arguments: Engine.allCases)
    func test204WithContentLength(engine: Engine) async throws {
        try await play(on: engine) {
            let head = ["HTTP/1.1 204 No Content", "Content-Length: 1000", "Connection: close", "", ""]
            let response = try await response(engine, head)
            #expect(response.httpStatus == 204)
            #expect(response.data.isEmpty)
        }
    }

    @Test(arguments: Engine.allCases)
    func test304WithContentLength(engine: Engine) async throws {
        try await play(on: engine) {
            let head = ["HTTP/1.1 304 Not Modified", "Content-Length: 1000", "Connection: close", "", ""]
            let response = try await response(engine, head)
            #expect(response.httpStatus == 304)
            #expect(response.data.isEmpty)
        }
    }

    @Test(arguments: Engine.allCases)
    func testIncompleteBody(engine: Engine) async throws {
        try await play(on: engine) {
            await expectError(engine, ["HTTP/1.1 200 OK", "Content-Length: 1000", "Connection: close", "", "1234"])
        }
    }

    @Test(arguments: Engine.allCases)
    func testNoLengthHint(engine: Engine) async throws {
        try await play(on: engine) {
            let response = try await response(engine, ["HTTP/1.1 200 OK", "Connection: close", "", "1234"])
            #expect(response.httpStatus == 200)
            #expect(response.text == "1234")
        }
    }

    @Test(arguments: Engine.allCases)
    func testConflictingContentLength(engine: Engine) async throws {
        try await play(on: engine) {
            await expectError(engine, ["HTTP/1.1 200 OK", "Content-Length: 10, 4", "Connection: close", "", "1234"])
        }
    }
}
