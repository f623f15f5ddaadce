import SimpleNetworking
import Synchronization

/// Keeps secrets by name from one start of a program to the next.
public protocol SecretStore: Sendable {
    /// Returns a secret, or nil if there is none of that name.
    func secret(named name: String) throws -> Secret?

    /// Keeps a secret in place of the one before; nil deletes it.
    func keep(_ secret: Secret?, named name: String) throws
}

/// Keeps secrets as long as the program runs.
public final class MemorySecretStore: SecretStore {
    private let secrets = Mutex<[String: Secret]>([:])

    /// Makes an empty store.
    public init() {}

    /// Returns a secret, or nil if there is none of that name.
    public func secret(named name: String) -> Secret? { secrets.withLock { $0[name] } }

    /// Keeps a secret in place of the one before; nil deletes it.
    public func keep(_ secret: Secret?, named name: String) { secrets.withLock { $0[name] = secret } }
}
