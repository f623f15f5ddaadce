/// A counter of one kind of thing, distinct in type from the counters of other kinds.
struct Ordinal<Kind>: Hashable, Sendable {
    private(set) var number = 0

    /// Advances to the next number.
    mutating func advance() { number += 1 }
}

extension Ordinal: Comparable {
    static func < (left: Ordinal, right: Ordinal) -> Bool { left.number < right.number }
}

/// Changes with each refresh of a client's credential.
typealias CredentialGeneration = Ordinal<CredentialRefusal>
/// Changes when the client's user changes.
typealias AccountNumber = Ordinal<AccountOfClient>

/// An account of one client; each client numbers its own accounts.
struct AccountOfClient: Sendable {
    let client: ObjectIdentifier
    /// Nil until it is known.
    var number: AccountNumber?
}

/// Identifies one assignment of a client's authenticator.
final class AuthenticatorSetting: Sendable {}
