import Foundation
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworkingCore

/// Transfers whose credential is rejected first, by whichever way it is renewed.
@Suite(.timeLimit(.minutes(1)))
struct RejectedTransferTests {
    typealias Kind = SecondRequest.Cause

    private struct Noting: Middleware {
        let statuses = Recorder<Int>()

        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            let response = try await next(request)
            statuses.add(response.httpStatus)
            return response
        }
    }

    private let folder = ScratchFolder()
    private let server = StubTransport()
    private let noting = Noting()
    private var file: URL { folder.url.appendingPathComponent("file") }

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data("old".utf8).write(to: file)
    }

    /// Transfers something to or from `/x`, and returns the content.
    private func transfer(
        _ kind: Kind,
        _ client: SimpleNetworking,
        _ change: (SimpleRequest) -> Void
    ) async throws -> String {
        let request = SimpleRequest(kind == .upload ? .post : .get, path: "/x")
        change(request)
        switch kind {
        case .download:
            _ = try await client.download(for: request, to: file)
            return try String(contentsOf: file, encoding: .utf8)
        case .stream:
            let data = try await client.bytes(for: request).reduce(into: Data()) { $0 += $1 }
            return String(decoding: data, as: UTF8.self)
        case .eventStream: return try await client.events(for: request).reduce("") { "\($0)data: \($1.data)\n\n" }
        case .upload:
            request.body(data: .film, contentType: .text).resumesUpload()
            return try await client.send(request).text ?? ""
        default: return try await client.send(request).text ?? ""
        }
    }

    private func serve(_ kind: Kind) {
        let type = kind == .eventStream ? "text/event-stream" : "text/plain"
        server.on("/x", .text("rejected", status: 401), times: 1).on("/x", .pieces("data: good\n\n", type: type))
    }

    @Test(arguments: [.download, .stream, .eventStream, .upload, .middleware] as [Kind])
    func aReauthenticationSendsItAgainOnceAndNothingOfTheRejectionIsLeft(kind: Kind) async throws {
        serve(kind)
        let refreshes = Recorder<String>()
        let client = SimpleNetworking(over: server, through: kind == .middleware ? [noting] : [])
        let text = try await transfer(kind, client) { request in
            request.on(httpStatus: 401) { request, _ in
                client.reauthenticate(request) { done in
                    refreshes.add("refresh")
                    client.headers["Authorization"] = "Bearer new"
                    done()
                }
                return false
            }
        }
        #expect(text == "data: good\n\n")
        #expect(refreshes.elements.count == 1)
        #expect(server.requests.map { $0.headers["Authorization"] } == [nil, "Bearer new"])
        if kind == .middleware { #expect(noting.statuses.elements == [401, 200]) }
    }

    @Test(arguments: [.download, .stream, .eventStream, .upload, .middleware] as [Kind])
    func anAuthenticatorSendsItAgainOnceAndNothingOfTheRejectionIsLeft(kind: Kind) async throws {
        serve(kind)
        let client = SimpleNetworking(over: server, through: kind == .middleware ? [noting] : []) {
            $0.authenticator = BearerAuthenticator(token: Secret("old")) { _ in Secret("new") }
        }
        #expect(try await transfer(kind, client) { _ in } == "data: good\n\n")
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
        if kind == .middleware { #expect(noting.statuses.elements == [401, 200]) }
    }

    /// The refresh failed, so the last response is the rejection.
    @Test(arguments: [.download, .stream, .eventStream, .upload] as [Kind])
    func aFailedReauthenticationLeavesNothing(kind: Kind) async throws {
        serve(kind)
        let client = SimpleNetworking(over: server)
        let error = await #expect(throws: SimpleNetworkingError.self) {
            _ = try await transfer(kind, client) { request in
                request.on(httpStatus: 401) { request, _ in
                    client.reauthenticate(request) { $0(NetworkFailure(.offline)) }
                    return false
                }
            }
        }
        guard case .authentication? = error else { throw Surprise("\(String(describing: error))") }
        #expect(server.requests.count == 1)
        #expect(try Data(contentsOf: file) == Data("old".utf8))
    }
}
