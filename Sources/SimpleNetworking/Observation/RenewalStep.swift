/// Tells what a refused request did about its credential.
public enum RenewalStep: String, Sendable, Hashable {
    /// It had it renewed.
    case started
    /// It waited for the renewal that ran already.
    case joined
    /// It was sent again at once: a newer credential was there already.
    case outdated
    /// It ended: the credential could not be renewed just before.
    case failed
}
