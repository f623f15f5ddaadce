#if canImport(Security)
    import Foundation
    import Security
    import SimpleNetworking

    /// Keeps secrets in the Keychain, as generic passwords of the service `Humon`.
    public struct KeychainSecretStore: SecretStore {
        /// Makes a store; all of them are the same.
        public init() {}

        /// Returns a secret, or nil if there is none of that name.
        public func secret(named name: String) throws -> Secret? {
            var item: CFTypeRef?
            var query = query(name)
            query[kSecReturnData as String] = true
            try check(SecItemCopyMatching(query as CFDictionary, &item))
            return (item as? Data).flatMap { String(data: $0, encoding: .utf8) }.map { Secret($0) }
        }

        /// Keeps a secret in place of the one before; nil deletes it.
        public func keep(_ secret: Secret?, named name: String) throws {
            try check(SecItemDelete(query(name) as CFDictionary))
            guard let secret else { return }
            var item = query(name)
            item[kSecValueData as String] = Data(secret.reveal().utf8)
            try check(SecItemAdd(item as CFDictionary, nil))
        }

        private func query(_ name: String) -> [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "Humon",
                kSecAttrAccount as String: name,
            ]
        }

        private func check(_ status: OSStatus) throws {
            guard status != errSecSuccess, status != errSecItemNotFound else { return }
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(status))
        }
    }
#endif
