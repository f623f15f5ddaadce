import SimpleNetworkingSupport

/// Counts one kind of value, with a type that differs from the counters of other kinds.
package struct Ordinal<Kind>: Hashable, Sendable {
    private(set) var number = 0

    /// Advances to the next number.
    mutating func advance() { number += 1 }
}

extension Ordinal: Comparable {
    package static func < (left: Ordinal, right: Ordinal) -> Bool { left.number < right.number }
}

/// A number that changes with each refresh of a client's credential.
package typealias CredentialGeneration = Ordinal<CredentialRefusal>
/// A number that changes when the client's user changes.
package typealias AccountNumber = Ordinal<AccountOfClient>

/// Identifies an account of one client.
///
/// Each client numbers its own accounts.
package struct AccountOfClient: Hashable, Sendable {
    let client: ObjectIdentifier
    /// The account's number; nil until the number is known.
    var number: AccountNumber?
    /// The users of other data that is sent with the request, by what the data is.
    var users: [ObjectIdentifier: Int] = [:]
    /// The number of sign-outs; nil until a request without a credential is sent.
    var signOuts: Int?
}

/// Identifies one assignment of a client's authenticator.
final class AuthenticatorSetting: Sendable {}
