/// Makes the address of the page on which a user gives consent (RFC 6749 §4.1.1 and §4.2.1).
struct AuthorizationPage {
    let redirectURI: URL
    let state: Secret?
    private let configuration: OAuthConfiguration
    private let endpoint: URL

    init(_ configuration: OAuthConfiguration, redirectURI: URL?) throws(OAuthError) {
        endpoint = try configuration.checked(configuration.authorizationEndpoint, "authorization")
        guard let redirectURI = redirectURI ?? configuration.redirectURI else {
            throw .configuration(reason: "there is no redirect URI")
        }
        guard redirectURI.scheme != nil, redirectURI.fragment == nil else {
            throw .configuration(reason: "the redirect URI is not absolute, or has a fragment")
        }
        self.configuration = configuration
        self.redirectURI = redirectURI
        state = configuration.usesState ? Secret(Base64URL.random()) : nil
    }

    /// The endpoint with its own query, then the parameters sorted by name, encoded to the last reserved character.
    func url(responseType: String, _ parameters: [String: String]) throws(OAuthError) -> URL {
        var parameters = configuration.authorizationParameters.merging(parameters) { $1 }
        parameters["response_type"] = responseType
        parameters["client_id"] = configuration.clientID
        parameters["redirect_uri"] = redirectURI.absoluteString
        parameters["scope"] = configuration.scope ?? parameters["scope"]
        parameters["state"] = state?.reveal() ?? parameters["state"]
        let query = parameters.sorted { $0.key < $1.key }.map {
            FormPairs.percentEncode($0.key) + "=" + FormPairs.percentEncode($0.value)
        }
        var components = URLComponents(url: endpoint, resolvingAgainstBaseURL: true)
        let own = components?.percentEncodedQuery.map { [$0] } ?? []
        components?.percentEncodedQuery = (own + query).joined(separator: "&")
        components?.fragment = nil
        guard let url = components?.url else {
            throw .configuration(reason: "no address can be made of the authorization endpoint")
        }
        return url
    }
}
