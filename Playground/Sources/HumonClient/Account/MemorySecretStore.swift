import Foundation
import SimpleNetworking

/// Keeps secrets as long as the program runs.
public final class MemorySecretStore: SecretStore, @unchecked Sendable {
    private let lock = NSLock()
    private var secrets: [String: Secret] = [:]

    /// Makes an empty store.
    public init() {}

    /// Gives a secret, or nil if there is none of that name.
    public func secret(named name: String) -> Secret? { lock.withLock { secrets[name] } }

    /// Keeps a secret in place of the one before; nil deletes it.
    public func keep(_ secret: Secret?, named name: String) { lock.withLock { secrets[name] = secret } }
}
