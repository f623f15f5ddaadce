import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingOAuth

/// A small authorization server on this machine: it gives each user consent, its codes and refresh tokens count once,
/// and it checks the proof of a code.
final class AuthorizationServer: Sendable {
    private struct State {
        var codes: [String: [String: String]] = [:]
        var refreshToken: String?
        var issued = 0
        var tokenRequests = 0
        /// What the next page says instead of a code.
        var error: String?
    }

    private let state: Locked<State>
    private let server: RawServer

    init(refreshToken: String? = nil) throws {
        let state = Locked(State(refreshToken: refreshToken))
        self.state = state
        server = try RawServer { request in
            switch request.path {
            case "/authorize": Self.page(request, state)
            case "/token": Self.token(request, state)
            case "/api": Self.api(request, state)
            default: .response(status: 404)
            }
        }
    }

    func url(_ path: String) -> URL { server.url(path) }

    /// Stops the server.
    func stop() { server.stop() }

    /// The number of token requests.
    var tokenRequests: Int { state.withLock(\.tokenRequests) }

    /// Tells whether a text was part of a requested URL.
    func hasSeen(inAddress text: String) -> Bool { server.requests.contains { $0.target.contains(text) } }

    /// Lets the next page end with an error.
    func refuseNext(_ error: String) { state.withLock { $0.error = error } }

    /// A description of this server.
    func configuration(redirectURI: String? = "notes://oauth/callback") -> OAuthConfiguration {
        var configuration = OAuthConfiguration(
            clientID: "notes",
            clientSecret: Secret("cl1ent"),
            redirectURI: redirectURI.flatMap { URL(string: $0) }
        )
        configuration.authorizationEndpoint = url("/authorize")
        configuration.tokenEndpoint = url("/token")
        return configuration
    }

    /// Opens the page as a browser would, and tells where it is sent to.
    func visit(_ page: URL) async throws -> URL {
        let browser = SimpleNetworking(baseURL: url("/")) { $0.redirectPolicy = .never }
        let response = await browser.get(page.absoluteString) { $0.acceptable(statuses: [302]) }.ended()
        return try #require(try response.get().headers["Location"].flatMap { URL(string: $0) })
    }

    private static func page(_ request: RawServer.Request, _ state: Locked<State>) -> RawServer.Reply {
        guard let redirect = request[query: "redirect_uri"], request[query: "client_id"] == "notes" else {
            return .response(status: 400)
        }
        let reply = state.withLock { state in
            if let error = state.error {
                state.error = nil
                return "?error=\(error)&error_description=not+today"
            }
            if request[query: "response_type"] == "token" {
                state.issued += 1
                return "#access_token=access-\(state.issued)&token_type=bearer&expires_in=3600"
            }
            let code = "code-\(state.codes.count + 1)"
            state.codes[code] = ["redirect": redirect, "challenge": request[query: "code_challenge"] ?? ""]
            return "?code=\(code)&iss=here"
        }
        let back = request[query: "state"].map { "&state=\($0)" } ?? ""
        return .redirect(to: redirect + reply + back)
    }

    private static func token(_ request: RawServer.Request, _ state: Locked<State>) -> RawServer.Reply {
        let form = FormURLEncoding(request.text)
        return state.withLock { state in
            state.tokenRequests += 1
            let isGood: Bool
            switch form["grant_type"] {
            case "authorization_code":
                let code = state.codes.removeValue(forKey: form["code"] ?? "")
                let challenge = ProofKey(verifier: Secret(form["code_verifier"] ?? "")).challenge
                isGood = code == ["redirect": form["redirect_uri"] ?? "", "challenge": challenge]
            case "refresh_token": isGood = form["refresh_token"] != nil && form["refresh_token"] == state.refreshToken
            case "password": isGood = form["username"] == "ada" && form["password"] == "pa55word"
            case "client_credentials":
                let basic = "Basic " + Data("notes:cl1ent".utf8).base64EncodedString()
                isGood = request[header: "Authorization"] == basic
            default: return .json(#"{"error":"unsupported_grant_type"}"#, status: 400)
            }
            guard isGood else { return .json(#"{"error":"invalid_grant","error_description":"used"}"#, status: 400) }
            state.issued += 1
            state.refreshToken = "refresh-\(state.issued)"
            let token = #""access_token":"access-\#(state.issued)","refresh_token":"refresh-\#(state.issued)""#
            return .json(#"{\#(token),"token_type":"bearer","expires_in":"3600"}"#)
        }
    }

    private static func api(_ request: RawServer.Request, _ state: Locked<State>) -> RawServer.Reply {
        let isGood = request[header: "Authorization"] == "Bearer access-\(state.withLock(\.issued))"
        return isGood ? .json("{}") : .unauthorized("Bearer")
    }
}
