extension OAuthError: LocalizedError, CustomStringConvertible, CustomReflectable {
    /// Says in a sentence or two what went wrong and what to do.
    public var errorDescription: String? { description }

    /// Says in a sentence or two what went wrong and what to do.
    public var description: String {
        switch self {
        case .configuration(let reason): "OAuth is not set up for this: \(reason)."
        case .refused(let refusal): "The authorization server refused: \(refusal)."
        case .denied(let refusal): "Access was denied: \(refusal)."
        case .stateMismatch: "The redirect belongs to another sign-in. Begin again."
        case .issuerMismatch: "The redirect comes from another authorization server than the one that was asked."
        case .invalidRedirect(let reason): "The redirect cannot be used: \(reason)."
        case .missingCode: "The redirect carries no authorization code."
        case .missingToken: "The authorization server's answer carries no access token."
        case .unknownTokenType(let type):
            "The authorization server's response carries a token of type “\(type)”. Only bearer tokens can be used."
        case .alreadyFinished: "The redirect was used before. Begin again."
        case .invalidAnswer(let status):
            "The token endpoint answered with status \(status) and something that is no OAuth answer."
        case .unavailable(let error): "The token endpoint is not available. \(error)"
        case .noRefreshToken: "The token cannot be renewed, since there is no refresh token. Sign in again."
        case .notSignedIn: "Nobody is signed in."
        case .cancelled: "The sign-in was left before it was finished."
        case .superseded: "The sign-in was given up for another one, begun later."
        case .timedOut(let seconds): "No redirect came within \(String(format: "%.0f", seconds)) s."
        case .cannotListen(let reason): "The redirect cannot be received: \(reason)."
        }
    }

    /// Shows the text alone: what an error of the network carries may hold header fields as they were sent.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
