/// Proves to the server who asks: signs every attempt, and renews what the server refuses.
///
/// Put one into `Configuration.authenticator`. However many requests are refused at once, `renew(_:)` is called once: the
/// others wait for it, each of them can be cancelled on its own, and all are sent again with what it gives. A request that
/// is refused with a fresh credential is not tried a third time: its handlers get the server's answer. Attempts to origins
/// that are not trusted go out unsigned. Implement it for a scheme of your own; see also `BasicAuthenticator` and
/// `BearerAuthenticator`.
public protocol Authenticator: Sendable {
    /// What is shown to the server.
    associatedtype Credential: Sendable, Equatable

    /// Gives the credential as it is now, or nil if nobody is signed in; attempts go out unsigned then.
    ///
    /// Asked before each attempt, from any number of tasks.
    func credential() async throws -> Credential?

    /// Puts a credential on an attempt.
    ///
    /// Fields that it adds are secret: hidden in texts, and taken off where a redirect leads away.
    func sign(_ request: inout TransportRequest, with credential: Credential)

    /// Tells whether a credential is known to be of no use any more, so that it is renewed before it is shown.
    ///
    /// The default is false.
    func isExpired(_ credential: Credential) -> Bool

    /// Tells whether an answer refuses the credential.
    ///
    /// The default is status 401. A 403 means that the credential was understood: renewing does not help.
    func isRefusal(_ response: TransportResponse) -> Bool

    /// Gets a new credential for one that was refused or has expired, keeps it, and returns it.
    ///
    /// It is not called again while it runs, unless its time is up or somebody else has signed in, and it is not cancelled
    /// though nobody may wait for it any more, since a new credential that gets lost may be the last one. Requests that it sends itself go out unsigned. It has
    /// `Configuration.renewalTimeout` seconds. The default throws `RenewalFailure.notRenewable`.
    ///
    /// - Throws: Why there is none; all who wait end with it, as `.authentication`.
    func renew(_ credential: Credential) async throws -> Credential

    /// Names whose credential it is: requests are not sent again in the name of somebody else.
    ///
    /// The default is one name for all.
    func identity(of credential: Credential) -> String

    /// Names the account whose answers a `ResponseCache` may give to whoever has this credential.
    ///
    /// The name must stay the same when the credential is renewed, must never become that of another account, also after
    /// the app was started anew, and must be vouched for by the server: not a name that anybody can claim. The default is
    /// `identity(of:)`; if that is empty, nil.
    ///
    /// - Returns: The name, or nil if the credential itself is all that is known: a new one then begins with nothing
    ///   stored.
    func cacheIdentity(of credential: Credential) -> String?
}

extension Authenticator {
    /// Never.
    public func isExpired(_ credential: Credential) -> Bool { false }

    /// Status 401.
    public func isRefusal(_ response: TransportResponse) -> Bool { response.status == 401 }

    /// Throws `RenewalFailure.notRenewable`.
    public func renew(_ credential: Credential) async throws -> Credential { throw RenewalFailure.notRenewable }

    /// One name for all.
    public func identity(of credential: Credential) -> String { "" }

    /// The identity, unless it is empty.
    public func cacheIdentity(of credential: Credential) -> String? {
        let identity = identity(of: credential)
        return identity.isEmpty ? nil : identity
    }
}
