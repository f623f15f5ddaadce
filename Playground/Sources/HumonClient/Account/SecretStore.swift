import SimpleNetworking

/// Keeps secrets by name from one start of a program to the next.
public protocol SecretStore: Sendable {
    /// Gives a secret, or nil if there is none of that name.
    func secret(named name: String) throws -> Secret?

    /// Keeps a secret in place of the one before; nil deletes it.
    func keep(_ secret: Secret?, named name: String) throws
}
