import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworkingCore

/// What a feature does with a stage of its own, and what it learns from requests that change something.
@Suite
struct FeatureStageTests {
    /// Notes what it hears.
    private enum Listener: Feature {
        static let defaultValue: Recorder<String>? = nil
        static let order = 3
        static func stage(at place: StagePlace, for attempt: Attempt) -> (any Middleware)? {
            guard place == .lookUp, let heard = attempt[Listener.self] else { return nil }
            return Stage(heard: heard, attempt: attempt)
        }
        static func changeReaction(of heard: Recorder<String>?) -> ChangeReaction? {
            guard let heard else { return nil }
            return { urls, status, _ in heard.add("\(urls.map(\.path)) \(status)") }
        }
    }

    private struct Stage: Middleware {
        let heard: Recorder<String>
        let attempt: Attempt
        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            let shown = try await attempt.preview(request)
            heard.add("look up \(attempt.number) \(shown.headers["Authorization"] ?? "-")")
            let response = try await next(request)
            attempt.commit { [heard] in
                heard.add("commit \(response.httpStatus)")
                return Note(description: "committed")
            }
            return response
        }
    }

    private enum Offline: Feature {
        static let defaultValue = false
        static let order = 4
        static func staysOffline(_ request: TransportRequest, for attempt: Attempt) -> Bool { attempt[Offline.self] }
    }

    /// Would request a credential.
    private struct Requesting: RequestingAuthenticator {
        let heard: Recorder<String>
        func credential() async throws -> Secret? {
            heard.add("requests")
            return Secret("new")
        }
        func storedCredential() async throws -> Secret? { nil }
        func sign(_ request: inout TransportRequest, with credential: Secret) {}
    }

    private struct Note: RequestNote {
        let description: String
    }

    private let heard = Recorder<String>()

    @Test
    func aStageSeesTheCredentialAndCommitsOnlyWhatCounts() async throws {
        let server = StubTransport().on("*", .status(401), times: 1).on("*", .text("fine"))
        let api = SimpleNetworking(over: server) {
            $0[Listener.self] = heard
            $0.authenticator = BearerAuthenticator(token: Secret("old")) { _ in Secret("new") }
        }
        _ = try await api.send(SimpleNetworking.get("/x"))
        #expect(heard.elements == ["look up 1 Bearer old", "look up 2 Bearer new", "commit 200"])
    }

    @Test
    func aRequestMayBringAStageOfItsOwn() async throws {
        let server = StubTransport().on("*", .text("fine"))
        let api = SimpleNetworking(over: server)
        _ = try await api.send(SimpleNetworking.get("/x").option(Listener.self, heard))
        _ = try await api.send(SimpleNetworking.get("/x"))
        #expect(heard.elements == ["look up 1 -", "commit 200"])
    }

    @Test(arguments: [HTTPMethod.get, .head, .post, .delete])
    func aFeatureHearsOfTheHeadOfARequestThatMayChangeSomething(method: HTTPMethod) async throws {
        let server = StubTransport().on("*", .status(204))
        let api = SimpleNetworking(over: server) { $0[Listener.self] = heard }
        _ = try await api.send(SimpleNetworking.request(method, path: "/x"))
        let isUnsafe = method == .post || method == .delete
        #expect(heard.elements.filter { $0.hasPrefix("[") } == (isUnsafe ? [#"["/x"] 204"#] : []))
    }

    @Test
    func theHeadOfAStreamIsHeardBeforeItsContent() async throws {
        let gate = Gate()
        let server = StubTransport().on("*", .pieces("line\n", .gate(gate), "line\n"))
        let api = SimpleNetworking(over: server) { $0[Listener.self] = heard }
        for try await _ in api.lines(for: SimpleNetworking.post("/x")) {
            #expect(heard.elements.contains(#"["/x"] 200"#))
            break
        }
        gate.open()
    }

    @Test(arguments: [true, false])
    func noCredentialIsRequestedForARequestThatStaysOffline(isOffline: Bool) async throws {
        let server = StubTransport().on("*", .text("fine"))
        let api = SimpleNetworking(over: server) {
            $0[Offline.self] = isOffline
            $0.authenticator = Requesting(heard: heard)
        }
        _ = try await api.send(SimpleNetworking.get("/x"))
        #expect(heard.elements.isEmpty == isOffline)
    }

    @Test
    func aNoteStandsInTheTraceAndIsAStep() throws {
        let event = RequestEvent.Kind.note(Note(description: "did something"))
        #expect("\(event)" == "did something")
        #expect(TraceStep.note(Note(description: "did something")) == .note(type: "Note", text: "did something"))
    }
}
