import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingOAuth

/// Who has signed in, by OpenID Connect Core 1.0 §3.1.3.7.
@Suite(.timeLimit(.minutes(5)))
struct IDTokenTests {
    private let server = StubTransport()

    private static let start = Int(Example.start.timeIntervalSince1970)

    /// A token with these claims, as JSON, in place of the right ones.
    private static func token(_ changes: [String: String] = [:]) -> String {
        let claims = [
            "iss": #""https://login.example.com""#, "sub": #""7""#, "aud": #""notes""#, "exp": "\(start + 60)",
        ]
        let members = claims.merging(changes) { $1 }.map { "\"\($0)\": \($1)" }
        return "e30.\(Base64URL.encode(Data("{\(members.joined(separator: ", "))}".utf8))).c2ln"
    }

    private func session(_ change: (inout OAuthConfiguration) -> Void = { _ in }) -> OAuthSession {
        var configuration = Example.configuration
        configuration.scopes = ["openid"]
        configuration.issuer = "https://login.example.com"
        configuration.isIssuerRequired = false
        change(&configuration)
        return OAuthSession(configuration) { [server] in
            $0.transport = server
            $0.clock = VirtualClock()
        }
    }

    private static func reply(_ idToken: String) -> String {
        #"{"access_token": "a", "refresh_token": "r", "id_token": "\#(idToken)", "expires_in": 3600}"#
    }

    /// Signs in; the ID token holds the nonce of the page, unless that is among the changes.
    private func signIn(_ session: OAuthSession, _ changes: [String: String] = [:]) async throws -> OAuthToken {
        try await session.signIn { [server] page in
            let sent = ["nonce": "\"\(Example.value(of: "nonce", in: page))\""]
            server.on("/token", .json(Self.reply(Self.token(sent.merging(changes) { $1 }))))
            return Example.redirect("?code=c&state=\(Example.state(of: page))")
        }
    }

    private func signInWithoutIDToken(_ session: OAuthSession) async throws -> OAuthToken {
        try await session.signIn { page in Example.redirect("?code=c&state=\(Example.state(of: page))") }
    }

    /// Lets refreshes bring these responses; to be called before the sign-in.
    private func refresh(to responses: StubResponse) {
        server.on("/token", where: [.text(matching: "grant_type=refresh_token")], responses)
    }

    @Test
    func claimsAreRead() async throws {
        struct Profile: Decodable {
            let name: String
        }
        let token = try await signIn(session(), ["name": #""Ada""#, "iat": "\(Self.start)"])
        let idToken = try #require(try token.idToken)
        #expect(idToken.subject == "7")
        #expect(idToken.issuer == "https://login.example.com")
        #expect(idToken.audiences == ["notes"])
        #expect(idToken.issuedAt == Example.start)
        #expect(idToken.expiresAt == Example.start.addingTimeInterval(60))
        #expect(try idToken.claims(as: Profile.self).name == "Ada")
    }

    @Test(arguments: [
        (["iss": #""https://evil.example""#], "it comes from another server"),
        (["aud": #""other""#], "it is for another program"), (["aud": "[]"], "it is for another program"),
        (["aud": #"["notes", "other"]"#], "it was issued to another program"),
        (["aud": #"["notes", "other"]"#, "azp": #""other""#], "it was issued to another program"),
        (["azp": #""other""#], "it was issued to another program"),
        (["aud": #"["notes", "other"]"#, "azp": #""notes""#], nil), (["aud": #"["notes"]"#], nil),
        (["exp": "\(start - 61)"], "it has expired, by the clock of this machine"), (["exp": "\(start - 59)"], nil),
        (["sub": "null"], "it lacks a claim that OpenID demands"),
        (["exp": #""soon""#], "it lacks a claim that OpenID demands"),
        (["exp": "-1"], "it has expired, by the clock of this machine"), (["exp": "1e300"], nil),
        (["exp": "\"\(start + 60)\""], nil), (["exp": "\(start + 60).5"], nil), (["iat": #""yesterday""#], nil),
        (["iat": "1e308"], nil), (["iat": "null"], nil), (["azp": "null"], nil), (["azp": "{}"], nil),
        (["auth_time": #""1""#, "email_verified": #""true""#], nil), (["aud": #"["notes", null]"#], nil),
        (["nonce": "null"], "it belongs to another sign-in"), (["nonce": "5"], "it belongs to another sign-in"),
    ])
    func eachClaimIsChecked(changes: [String: String], reason: String?) async throws {
        let session = session()
        let error = await oauthError { try await signIn(session, changes) }
        guard let reason else {
            #expect(error == nil)
            return
        }
        guard case .invalidIDToken(reason)? = error else {
            throw Surprise("it ended with \(String(describing: error))")
        }
        #expect(try await session.storedToken() == nil)
    }

    @Test(arguments: [
        ("12345678901234567890", "12345678901234567890"), ("7", "7"), ("-7", "-7"), (#""7""#, "7"),
    ])
    func aSubjectMayBeANumber(json: String, subject: String) async throws {
        #expect(try await signIn(session(), ["sub": json]).idToken?.subject == subject)
    }

    @Test
    func aTokenOfAnotherSignInIsRefused() async throws {
        let session = session()
        let error = await oauthError { try await signIn(session, ["nonce": #""of another""#]) }
        #expect("\(try #require(error))" == "The ID token is not valid: it belongs to another sign-in.")
        #expect(try await session.storedToken() == nil)
    }

    /// A code of another sign-in would otherwise pass without the nonce, such as one without the scope `openid`.
    @Test(arguments: [
        #"{"access_token": "a"}"#, #"{"access_token": "a", "id_token": null}"#,
        #"{"access_token": "a", "scope": "mail"}"#,
    ])
    func aSignInWithANonceIsRefusedWithoutAnIDToken(response: String) async throws {
        let session = session()
        server.on("/token", .json(response))
        let error = await oauthError { try await signInWithoutIDToken(session) }
        #expect("\(try #require(error))" == "The ID token is not valid: the token response holds none.")
        #expect(try await session.storedToken() == nil)
    }

    @Test
    func aSignInWithoutTheScopeOpenIDNeedsNoIDToken() async throws {
        let session = session { configuration in
            configuration.scopes = ["mail"]
            configuration.authorizationParameters["nonce"] = "n"
        }
        server.on("/token", .json(#"{"access_token": "a"}"#))
        #expect(try await signInWithoutIDToken(session).accessToken == Secret("a"))
    }

    @Test(arguments: ["", "e30", "e30.e30", "e30.%.c2ln", "e30.W10.c2ln", "e30.e30.c2ln", "e30..c2ln", "a.e30.b.c.d"])
    func whatIsNoSignedTokenIsRefused(text: String) async throws {
        #expect(await oauthError { try IDToken(Secret(text)) }?.name == "invalidIDToken")
    }

    @Test
    func withoutTheScopeNothingIsChecked() async throws {
        server.on("*", .json(Self.reply("no token")))
        let token = try await session { $0.scopes = ["notes"] }.signIn(user: "ada", password: Secret("p"))
        #expect(await oauthError { try token.idToken }?.name == "invalidIDToken")
    }

    @Test(arguments: [["openid"], ["openid", "mail"], ["mail"]])
    func aNonceIsSentToOpenIDAlone(scopes: [String]) throws {
        var configuration = Example.configuration
        configuration.scopes = scopes
        let nonces = try (0..<2).map { _ in
            Example.value(of: "nonce", in: try AuthorizationRequest(configuration).url)
        }
        #expect(nonces.contains("") == !scopes.contains("openid"))
        #expect((nonces[0] == nonces[1]) == !scopes.contains("openid"))
    }

    @Test
    func aRefreshKeepsTheTokenUnlessItBringsAnother() async throws {
        let session = session()
        refresh(to: .replies(.json(#"{"access_token": "b"}"#), .json(Self.reply(Self.token(["x": "1"])))))
        let first = try await signIn(session)
        let second = try await session.refresh(first)
        #expect(try second.idToken?.subject == "7")
        #expect(second.extra["id_token"] == first.extra["id_token"])
        let third = try await session.refresh(second)
        #expect(third.extra["id_token"] != first.extra["id_token"])
    }

    /// Also if something else is wrong with the ID token.
    @Test(
        arguments: [
            ["sub": #""8""#], ["iss": #""https://evil.example""#], ["sub": #""8""#, "exp": "1"],
            ["sub": #""8""#, "aud": #""other""#],
        ],
        ["https://login.example.com", nil]
    )
    func aRefreshThatNamesAnotherUserIsRefused(changes: [String: String], issuer: String?) async throws {
        let session = session { $0.issuer = issuer }
        refresh(to: .json(Self.reply(Self.token(changes))))
        let first = try await signIn(session)
        let error = await oauthError { try await session.refresh(first) }
        #expect("\(try #require(error))" == "The ID token is not valid: it names another user than before.")
        #expect(try await session.storedToken() == first)
    }

    @Test
    func aRefreshMayRepeatTheNonce() async throws {
        let session = session { $0.authorizationParameters["nonce"] = "n" }
        refresh(to: .json(Self.reply(Self.token(["nonce": #""n""#, "x": "1"]))))
        let first = try await signIn(session)
        let second = try await session.refresh(first)
        #expect(second.extra["id_token"] != first.extra["id_token"])
    }

    /// Its refresh token may be the only valid one.
    @Test(arguments: [["exp": "1"], ["aud": #""other""#], ["nonce": #""of another""#]])
    func aRefreshWithABadIDTokenKeepsItsRefreshTokenAndTheFormerIDToken(changes: [String: String]) async throws {
        let session = session()
        let stale = Self.token(changes)
        refresh(to: .json(#"{"access_token": "b", "refresh_token": "r2", "id_token": "\#(stale)"}"#))
        let first = try await signIn(session)
        let second = try await session.refresh(first)
        #expect(second.refreshToken == Secret("r2"))
        #expect(second.extra["id_token"] == first.extra["id_token"])
    }
}
