import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingOAuth

/// RFC 8628: the user enters a code on another device.
@Suite(.timeLimit(.minutes(5)))
struct DeviceSignInTests {
    private let server = StubTransport()
    private let clock = VirtualClock()
    private static let pending = StubResponse.json(#"{"error": "authorization_pending"}"#, status: 400)
    private static let token = StubResponse.json(#"{"access_token": "a", "refresh_token": "r"}"#)

    private func session() -> OAuthSession {
        var configuration = Example.configuration
        configuration.scopes = ["notes"]
        configuration.deviceAuthorizationEndpoint = Example.url("https://login.example.com/device")
        return OAuthSession(configuration) { [server, clock] in
            $0.transport = server
            $0.clock = clock
        }
    }

    private func offer(_ rest: String = #", "interval": 2"#, lifetime: Int = 100) {
        let codes = #""device_code": "d", "user_code": "WDJB-MJHT", "verification_uri": "https://e.com/d""#
        server.on(.post, "/device", .json(#"{\#(codes), "expires_in": \#(lifetime)\#(rest)}"#))
    }

    /// Signs in while time passes from question to question; returns the token and when each question was asked.
    private func signIn(
        _ session: OAuthSession,
        _ prompts: Recorder<DevicePrompt> = Recorder()
    ) async -> (result: Result<OAuthToken, any Error>, times: [TimeInterval]) {
        let task = Task { try await session.signInByDevice { prompts.add($0) } }
        let (result, times) = await clock.advancing(to: .other) { await task.result }
        return (result, times)
    }

    @Test(arguments: ["verification_uri", "verification_uri_complete"])
    func thePageForTheCodeDoesNotLeadToHTTP(name: String) async throws {
        var pages = ["verification_uri": "https://e.com/d"]
        pages[name] = "http://e.com/d"
        let uris = pages.map { #""\#($0)": "\#($1)""# }.joined(separator: ",")
        server.on(.post, "/device", .json(#"{"device_code": "d", "user_code": "u", "expires_in": 9, \#(uris)}"#))
        let prompts = Recorder<DevicePrompt>()
        guard case .failure(OAuthError.invalidMetadata(let reason)) = await signIn(session(), prompts).result else {
            throw Surprise("it was shown")
        }
        #expect(reason.contains("it leads from https to http"))
        #expect(prompts.elements.isEmpty)
    }

    @Test(arguments: ["file://host/share", "javascript://h/%0aalert(1)", "ftp://e.com/d", "smb://e.com/d"])
    func aPageThatIsNoWebPageIsNotShown(uri: String) async throws {
        let codes = #""device_code": "d", "user_code": "u", "expires_in": 9"#
        server.on(.post, "/device", .json(#"{\#(codes), "verification_uri": "\#(uri)"}"#))
        let prompts = Recorder<DevicePrompt>()
        guard case .failure(OAuthError.invalidMetadata) = await signIn(session(), prompts).result else {
            throw Surprise("it was shown")
        }
        #expect(prompts.elements.isEmpty)
    }

    @Test
    func itAsksUntilTheUserHasEnteredTheCode() async throws {
        offer(#", "interval": 2, "verification_uri_complete": "https://e.com/d?c=WDJB-MJHT""#)
        server.on(.post, "/token", .replies(Self.pending, Self.pending, Self.token))
        let session = session()
        let prompts = Recorder<DevicePrompt>()
        let (result, times) = await signIn(session, prompts)
        #expect(try result.get().accessToken == Secret("a"))
        #expect(times == [2, 4, 6])
        let prompt = try #require(prompts.elements.first)
        #expect(prompt.userCode == "WDJB-MJHT")
        #expect(prompt.verificationURI == Example.url("https://e.com/d"))
        #expect(prompt.completeURI == Example.url("https://e.com/d?c=WDJB-MJHT"))
        #expect(prompt.lifetime == 100)
        #expect(server.requests[0].form == ["client_id": "notes", "scope": "notes"])
        let grant = "urn:ietf:params:oauth:grant-type:device_code"
        #expect(server.requests[1].form == ["grant_type": grant, "device_code": "d", "client_id": "notes"])
        #expect(try await session.storedToken()?.refreshToken == Secret("r"))
    }

    @Test
    func withoutAnIntervalItIsFiveSeconds() async throws {
        offer("")
        server.on(.post, "/token", .replies(Self.pending, Self.token))
        let (result, times) = await signIn(session())
        #expect(try result.get().accessToken == Secret("a"))
        #expect(times == [5, 10])
    }

    @Test
    func itSlowsDownWhenItIsTold() async throws {
        offer()
        let slower = StubResponse.json(#"{"error": "slow_down"}"#, status: 400)
        server.on(.post, "/token", .replies(Self.pending, slower, Self.pending, slower, Self.token))
        let (result, times) = await signIn(session())
        #expect(try result.get().accessToken == Secret("a"))
        #expect(times == [2, 4, 11, 18, 30])
    }

    @Test
    func itAsksLessOftenWhileTheServerCannotBeReached() async throws {
        offer()
        server.on(.post, "/token", .replies(.failure(.offline), .status(503), Self.token))
        let (result, times) = await signIn(session())
        #expect(try result.get().accessToken == Secret("a"))
        #expect(times == [2, 6, 14])
    }

    @Test
    func theDelayGrowsToAMinuteAndNoLongerThanTheServersInterval() async throws {
        offer(#", "interval": 20"#, lifetime: 1_000)
        server.on(.post, "/token", .replies(.status(503), .status(503), .status(503), .status(503), Self.token))
        #expect(await signIn(session()).times == [20, 60, 120, 180, 240])
    }

    @Test
    func anIntervalOfMoreThanAMinuteStays() async throws {
        offer(#", "interval": 90"#, lifetime: 1_000)
        server.on(.post, "/token", .replies(.status(503), .status(503), Self.token))
        #expect(await signIn(session()).times == [90, 180, 270])
    }

    @Test
    func itEndsWhenTheCodeHasExpired() async throws {
        offer(#", "interval": 30"#)
        server.on(.post, "/token", Self.pending)
        let (result, times) = await signIn(session())
        guard case .failure(OAuthError.timedOut(100)) = result else { throw Surprise("it ended with \(result)") }
        #expect(times == [30, 60, 90, 120])
        #expect(server.requests(to: "/token").count == 3)
    }

    @Test(arguments: [
        ("access_denied", "denied"), ("expired_token", "timedOut"), ("invalid_client", "invalid_client"),
    ])
    func otherAnswersEndIt(code: String, name: String) async throws {
        offer()
        server.on(.post, "/token", .json(#"{"error": "\#(code)"}"#, status: 400))
        let (result, times) = await signIn(session())
        guard case .failure(let error as OAuthError) = result else { throw Surprise("it ended with \(result)") }
        #expect(error.name == name)
        #expect(times == [2])
    }

    @Test
    func aServerThatStaysDownIsTheReasonAtTheEnd() async throws {
        offer()
        server.on(.post, "/token", .status(500))
        let (result, _) = await signIn(session())
        guard case .failure(OAuthError.unavailable) = result else { throw Surprise("it ended with \(result)") }
    }

    @Test
    func cancellingEndsIt() async throws {
        offer()
        let session = session()
        let task = Task { try await session.signInByDevice { _ in } }
        await clock.alarms(1, for: .other)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests(to: "/token").isEmpty)
    }

    @Test(arguments: ["{}", "[]", #"{"device_code": "d", "user_code": "u", "expires_in": 1}"#])
    func aReplyWithoutCodesIsRefused(json: String) async throws {
        server.on("*", .json(json))
        let session = session()
        #expect(await oauthError { try await session.signInByDevice { _ in } }?.name == "invalidResponse")
    }

    /// What stands for the codes, and what it means.
    @Test(arguments: [
        (#""device_code": "d", "user_code": "u", "expires_in": "100", "interval": "2""#, "u", 100, 2),
        (#""device_code": 7, "user_code": 123456, "expires_in": 100.0, "interval": 2.0"#, "123456", 100, 2),
        (#""device_code": "d", "user_code": 12345678901234567890, "interval": null"#, "12345678901234567890", 900, 5),
        (#""device_code": "d", "user_code": "u", "expires_in": -1, "interval": -1"#, "u", 900, 5),
        (#""device_code": "d", "user_code": "u", "expires_in": 0, "interval": true"#, "u", 900, 5),
        (#""device_code": "d", "user_code": "u", "expires_in": "soon", "interval": [2]"#, "u", 900, 5),
        (#""device_code": "d", "user_code": "u", "expires_in": 1e300, "interval": 1e300"#, "u", 3_153_600_000, 3600),
        (#""device_code": "d", "user_code": "u", "expires_in": 100, "verification_uri_complete": 0"#, "u", 100, 5),
    ])
    func codesOfAnotherTypeAreRead(members: String, userCode: String, lifetime: Double, interval: Double) async throws {
        server.on(.post, "/device", .json(#"{"verification_uri": "https://e.com/d", \#(members)}"#))
        server.on(.post, "/token", Self.token)
        let prompts = Recorder<DevicePrompt>()
        let (result, times) = await signIn(session(), prompts)
        #expect(try result.get().accessToken == Secret("a"))
        #expect(times == [interval])
        #expect(prompts.elements.map(\.userCode) == [userCode])
        #expect(prompts.elements.map(\.lifetime) == [lifetime])
    }

    @Test
    func thePageMayBeKnownByItsURLWithTheCodeAlone() async throws {
        let uris = #""verification_uri": "", "verification_uri_complete": "https://e.com/d?c=u""#
        server.on(.post, "/device", .json(#"{"device_code": "d", "user_code": "u", \#(uris)}"#))
        server.on(.post, "/token", Self.token)
        let prompts = Recorder<DevicePrompt>()
        _ = await signIn(session(), prompts)
        #expect(prompts.elements.map(\.verificationURI) == [Example.url("https://e.com/d?c=u")])
    }

    @Test
    func signingOutEndsIt() async throws {
        offer()
        server.on(.post, "/token", Self.token)
        let session = session()
        let task = Task { try await session.signInByDevice { _ in } }
        await clock.alarms(1, for: .other)
        try await session.signOut()
        _ = try? await clock.advance(to: .other)
        let end = await task.result
        guard case .failure(OAuthError.superseded) = end else { throw Surprise("it ended with \(end)") }
        #expect(try await session.storedToken() == nil)
    }

    @Test
    func anIntervalOfZeroStillGrows() async throws {
        offer(#", "interval": 0"#)
        server.on(.post, "/token", .replies(.failure(.offline), .failure(.offline), Self.token))
        let (result, times) = await signIn(session())
        #expect(try result.get().accessToken == Secret("a"))
        #expect(times == [1, 3, 7])
    }
}
