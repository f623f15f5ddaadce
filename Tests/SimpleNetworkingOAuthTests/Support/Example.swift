import Foundation
import SimpleNetworkingOAuth
import SimpleNetworkingTesting

/// What most tests have in common.
enum Example {
    static let start = Date(timeIntervalSince1970: 1_000_000)

    /// A server that only a stub stands for.
    static var configuration: OAuthConfiguration {
        var configuration = OAuthConfiguration(clientID: "notes", redirectURI: url("notes://oauth/callback"))
        configuration.authorizationEndpoint = url("https://login.example.com/authorize")
        configuration.tokenEndpoint = url("https://login.example.com/token")
        configuration.now = { start }
        return configuration
    }

    static func url(_ text: String) -> URL { URL(string: text) ?? URL(fileURLWithPath: "/") }

    /// A redirect to the configuration's redirect URI.
    static func redirect(_ query: String) -> URL { url("notes://oauth/callback" + query) }

    /// The state in a URL of the authorization endpoint.
    static func state(of url: URL) -> String { value(of: "state", in: url) }

    static func value(of name: String, in url: URL) -> String {
        URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.first { $0.name == name }?.value ?? ""
    }

    /// A token that expired long ago, by the clock of `start`.
    static func expired(_ access: String = "old", refresh: String? = "r1") -> OAuthToken {
        OAuthToken(
            accessToken: Secret(access),
            refreshToken: refresh.map { Secret($0) },
            receivedAt: start.addingTimeInterval(-7200),
            expiresIn: 3600
        )
    }

    /// A token that the server said to last no time at all.
    static let shortest = OAuthToken(
        accessToken: Secret("old"),
        refreshToken: Secret("r1"),
        receivedAt: start,
        expiresIn: 0
    )

    /// A token that is good for another hour, by the clock of `start`.
    static func fresh(_ access: String = "old", refresh: String? = "r1") -> OAuthToken {
        OAuthToken(
            accessToken: Secret(access),
            refreshToken: refresh.map { Secret($0) },
            receivedAt: start,
            expiresIn: 3600
        )
    }
}

extension TransportRequest {
    /// The content as a form's pairs.
    var form: [String: String] {
        guard case .data(let data) = body else { return [:] }
        var components = URLComponents()
        components.percentEncodedQuery = String(decoding: data, as: UTF8.self).replacingOccurrences(
            of: "+",
            with: "%20"
        )
        return Dictionary((components.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $0 + "," + $1 }
    }
}

/// The error that some work ends with, if it is one of OAuth's.
func oauthError(_ work: () async throws -> some Any) async -> OAuthError? {
    do {
        _ = try await work()
        return nil
    } catch {
        return error as? OAuthError
    }
}

extension OAuthError {
    /// The name of the case.
    var name: String {
        switch self {
        case .configuration: "configuration"
        case .refused(let refusal): refusal.code.rawValue
        case .denied: "denied"
        case .stateMismatch: "stateMismatch"
        case .issuerMismatch: "issuerMismatch"
        case .invalidRedirect: "invalidRedirect"
        case .missingCode: "missingCode"
        case .missingToken: "missingToken"
        case .unknownTokenType: "unknownTokenType"
        case .alreadyFinished: "alreadyFinished"
        case .invalidResponse: "invalidResponse"
        case .unavailable: "unavailable"
        case .noRefreshToken: "noRefreshToken"
        case .notSignedIn: "notSignedIn"
        case .cancelled: "cancelled"
        case .superseded: "superseded"
        case .timedOut: "timedOut"
        case .cannotListen: "cannotListen"
        case .invalidMetadata: "invalidMetadata"
        case .invalidIDToken: "invalidIDToken"
        }
    }
}
