import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite("A session's delegate", .timeLimit(.minutes(5)))
struct SessionDelegateTests {
    @Test
    func configuringOneSelectsURLSession() {
        func make(_ delegate: (any URLSessionDelegate & Sendable)?) -> any Transport {
            var configuration = SimpleNetworking.Configuration()
            configuration.sessionDelegate = delegate
            return Platform.makeTransport(for: configuration)
        }
        #expect(make(RecordingDelegate()) is URLSessionTransport)
        #if canImport(CLibcurl) && os(Linux)
            #expect(make(nil) is CurlTransport)
        #endif
    }

    @Test
    func receivesEveryCallback() async throws {
        let server = try RawServer { .echo($0) }
        let delegate = RecordingDelegate()
        do {
            let response = try await SimpleNetworking(of: server) { $0.sessionDelegate = delegate }.send(
                SimpleNetworking.post("/x").body(text: "sent")
            )
            #expect(response.httpStatus == 200)
        }
        // The delegate is told of the end before the caller; the session itself ends a little later.
        #expect(
            delegate.heard.filter { $0 != "invalid" && $0 != "stream" } == ["sent", "response", "data", "complete"]
        )
        try await eventually { delegate.heard.last == "invalid" }
    }

    @Test
    func delegateHandlesAChallengeFirst() async throws {
        let server = try RawServer { $0[header: "Authorization"] == nil ? .unauthorized() : .response(body: "welcome") }
        let delegate = RecordingDelegate(challenge: .useCredential)
        let response = try await SimpleNetworking(of: server) { $0.sessionDelegate = delegate }.send(
            SimpleNetworking.get("/x")
        )
        #expect(response.text == "welcome")
        #expect(delegate.heard.first { $0 == "challenge" } != nil)
    }

    @Test(arguments: [URLSession.AuthChallengeDisposition.performDefaultHandling, .rejectProtectionSpace])
    func aChallengeThatItLeavesIsA401WithItsContent(reply: URLSession.AuthChallengeDisposition) async throws {
        let server = try RawServer { _ in .unauthorized() }
        let delegate = RecordingDelegate(challenge: reply)
        let response = try await URLSessionTransport(delegate: delegate).get(server.url())
        #expect(response.httpStatus == 401)
        #expect(!response.data.isEmpty)
        #expect(delegate.heard.contains("challenge"))
    }

    @Test
    func delegateMayCancelAtAChallenge() async throws {
        let server = try RawServer { _ in .unauthorized() }
        let delegate = RecordingDelegate(challenge: .cancelAuthenticationChallenge)
        #expect(await URLSessionTransport(delegate: delegate).end(of: server.url()) == "cancelled")
    }

    @Test
    func completingAChallengeAfterTheEndDoesNoHarm() async throws {
        let server = try RawServer { _ in .unauthorized() }
        for disposition in [URLSession.AuthChallengeDisposition.useCredential, .performDefaultHandling] {
            let delegate = RecordingDelegate(challenge: nil)
            let transport = URLSessionTransport(delegate: delegate)
            let task = Task { await transport.end(of: server.url()) }
            let reply = try await withinSeconds(120) { try await delegate.openChallenge() }
            task.cancel()
            #expect(await task.value == "CancellationError")
            try await eventually { transport.unfinishedTaskCount == 0 }
            reply(disposition, URLCredential(user: "a", password: "b", persistence: .none))
        }
        // What is sent after this would come after it: Foundation has one queue for all sessions.
        #expect(try await URLSessionTransport().get(server.url()).httpStatus == 401)
        #expect(server.requests.count == 3)
    }

    @Test(arguments: [true, false])
    func delegateSeesRedirectsButThePolicyDecides(isOwn: Bool) async throws {
        let server = try RawServer { $0.path == "/x" ? .redirect(to: "/y") : .response(body: "there") }
        let delegate = RecordingDelegate()
        let client =
            isOwn
            ? SimpleNetworking(of: server) { $0.sessionDelegate = delegate }
            : SimpleNetworking(
                baseURL: server.url(),
                session: URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
            )
        let response = try await client.send(SimpleNetworking.get("/x"))
        #expect(response.text == "there")
        #expect(delegate.heard.filter { $0.hasPrefix("redirect") } == ["redirect /y"])
    }

    @Test
    func delegateMayCancelAResponseAtItsHead() async throws {
        let server = try RawServer { _ in .response(body: "unwanted") }
        let delegate = RecordingDelegate(disposition: .cancel)
        #expect(await URLSessionTransport(delegate: delegate).end(of: server.url()) == "cancelled")
    }

    @Test
    func delegateMayImplementOnlySessionMethods() async throws {
        let server = try RawServer { _ in .unauthorized() }
        let transport = URLSessionTransport(delegate: BareDelegate())
        #expect(try await transport.get(server.url()).httpStatus == 401)
    }

    #if !canImport(Darwin)
        // There Foundation never calls these; on Apple platforms they are forwarded as Objective-C messages.
        @Test
        func receivesCallbacksOfTheSessionAndTheCache() throws {
            let url = try #require(URL(string: "http://127.0.0.1/"))
            let head = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:]))
            let recorded = RecordingDelegate(makesStreams: true)
            let session = URLSession(configuration: .ephemeral)
            for delegate in [recorded, BareDelegate(), nil] as [(any URLSessionDelegate & Sendable)?] {
                let router = ExchangeRouter(delegate: delegate)
                let task = session.dataTask(with: url)
                let replies = Recorder<String>()
                let challenge = URLAuthenticationChallenge(
                    protectionSpace: URLProtectionSpace(
                        host: "127.0.0.1",
                        port: 80,
                        protocol: "http",
                        realm: nil,
                        authenticationMethod: NSURLAuthenticationMethodNTLM
                    ),
                    proposedCredential: nil,
                    previousFailureCount: 0,
                    failureResponse: nil,
                    error: nil,
                    sender: NoSender()
                )
                router.urlSession(session, didReceive: challenge) { disposition, _ in replies.add("\(disposition)") }
                let cached = CachedURLResponse(response: head, data: Data("x".utf8))
                router.urlSession(session, dataTask: task, willCacheResponse: cached) { response in
                    replies.add(response == nil ? "not cached" : "cached")
                }
                router.urlSession(
                    session,
                    task: task,
                    needNewBodyStream: { replies.add($0 == nil ? "none" : "stream") }
                )
                #expect(
                    replies.elements
                        == (delegate === recorded
                            ? ["cancelAuthenticationChallenge", "not cached", "stream"]
                            : ["performDefaultHandling", "cached", "none"])
                )
            }
            #expect(recorded.heard == ["session challenge", "cache", "stream"])
        }
    #endif

}
