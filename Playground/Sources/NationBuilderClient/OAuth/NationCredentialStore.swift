import SimpleNetworking
import SimpleNetworkingOAuth
import Synchronization

/// Keeps the credentials of several accounts, each by an identifier.
///
/// ```text
/// .standard                in the Keychain, where there is one, or in files of this program
/// .memory()                as long as the program runs
/// .files(in: folder)       in files that only the user may read
/// .keychain                in the Keychain, where there is one
/// ```
public struct NationCredentialStore: Sendable {
    let store: @Sendable (String) -> any CredentialStore

    /// Makes a store of one store for each identifier.
    public init(_ store: @escaping @Sendable (String) -> any CredentialStore) { self.store = store }

    /// Keeps credentials as long as the program runs.
    public static func memory() -> NationCredentialStore {
        let stores = Mutex<[String: MemoryCredentialStore]>([:])
        return NationCredentialStore { identifier in
            stores.withLock { stores in
                let store = stores[identifier] ?? MemoryCredentialStore()
                stores[identifier] = store
                return store
            }
        }
    }

    /// Keeps credentials in files that only the user may read.
    public static func files(in folder: URL) -> NationCredentialStore {
        NationCredentialStore { identifier in
            // A user's name is in it, and may have slashes.
            let name = identifier.replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "/", with: "%2F")
            return FileCredentialStore(folder.appendingPathComponent(name + ".json"))
        }
    }

    /// Keeps credentials in the Keychain, where there is one, or in files of this program in the user's folder for
    /// application data.
    public static var standard: NationCredentialStore {
        #if canImport(Security)
            return .keychain
        #else
            let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
            let folder = folders.first ?? URL(fileURLWithPath: NSHomeDirectory())
            return .files(in: folder.appendingPathComponent("NationBuilder/" + ProcessInfo.processInfo.processName))
        #endif
    }

    #if canImport(Security)
        /// Keeps credentials in the Keychain.
        public static let keychain = NationCredentialStore {
            KeychainCredentialStore(service: "NBAuthenticationCredentialService", account: $0)
        }
    #endif

    /// Replaces the stored credential, and returns whether it was stored; nil is not.
    public func save(_ credential: OAuthToken?, for identifier: String) async -> Bool {
        guard let credential else { return false }
        return (try? await store(identifier).save(credential)) != nil
    }

    /// Returns a credential, or nil if there is none.
    public func fetch(_ identifier: String) async -> OAuthToken? { try? await store(identifier).load() }

    /// Deletes a credential, and returns whether there was one.
    public func delete(_ identifier: String) async -> Bool {
        guard await fetch(identifier) != nil else { return false }
        return (try? await store(identifier).delete()) != nil
    }
}
