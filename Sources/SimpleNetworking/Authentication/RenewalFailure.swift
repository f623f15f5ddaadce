/// Tells why a credential was not renewed, where the library itself decided so.
public enum RenewalFailure: Error, Sendable, Hashable {
    /// The renewal did not end in time, in seconds.
    case timedOut(TimeInterval)
    /// Whoever renewed has forgotten to say how it ended.
    case forgotten
    /// Whoever was signed in is so no longer; what was to be sent again in their name was not.
    case signedOut
    /// The credential cannot be renewed: its authenticator has no way to.
    case notRenewable
}

extension RenewalFailure: LocalizedError {
    /// What happened, in a sentence.
    public var errorDescription: String? {
        switch self {
        case .timedOut(let seconds): "The renewal of the credential did not end within \(seconds) s."
        case .forgotten: "The renewal of the credential was begun, and nobody said how it ended."
        case .signedOut: "The account that the request was made for is signed out, or another one is signed in."
        case .notRenewable: "The credential cannot be renewed."
        }
    }
}
