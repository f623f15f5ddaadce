/// Counts one kind of thing, so that its number can't be taken for that of another.
struct Ordinal<Kind>: Hashable, Sendable {
    private(set) var number = 0

    /// The next one takes this one's place.
    mutating func advance() { number += 1 }
}

extension Ordinal: Comparable {
    static func < (left: Ordinal, right: Ordinal) -> Bool { left.number < right.number }
}

/// Changes with each refresh of a client's credential.
typealias CredentialGeneration = Ordinal<CredentialRefusal>
/// Changes when a client's user does.
typealias AccountNumber = Ordinal<AccountOfClient>

/// An account of a client; other clients count other accounts.
struct AccountOfClient: Sendable {
    let client: ObjectIdentifier
    /// Nil until it is known.
    var number: AccountNumber?
}

/// Names one setting of a client's authenticator.
final class AuthenticatorSetting: Sendable {}
