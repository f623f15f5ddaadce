import Foundation
import SimpleNetworkingOAuth

/// What the samples of OAuth have in common.
enum Example {
    /// A server that only a stub stands for.
    static var configuration: OAuthConfiguration {
        var configuration = OAuthConfiguration(clientID: "notes", redirectURI: url("notes://oauth/callback"))
        configuration.authorizationEndpoint = url("https://login.example.com/authorize")
        configuration.tokenEndpoint = url("https://login.example.com/token")
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

    /// A token that is good for another hour.
    static var freshToken: OAuthToken {
        OAuthToken(accessToken: Secret("a"), refreshToken: Secret("r1"), receivedAt: Date(), expiresIn: 3600)
    }
}
