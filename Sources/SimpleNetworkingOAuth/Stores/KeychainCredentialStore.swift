#if canImport(Security)
    import Security

    /// Keeps a token in the Keychain, as a generic password of this device.
    ///
    /// It is readable after the first unlock since the device started, in the background as well, and not part of
    /// backups. On macOS it is in the data protection keychain, which requires a program signed with an application
    /// identifier; otherwise each call throws `CredentialStoreError.keychain(status: -34018)`.
    ///
    /// Programs of one access group don't lock each other out; when two refresh at once, the one that fails takes over
    /// the other's token.
    public struct KeychainCredentialStore: CredentialStore {
        /// The name of the service, such as the program's identifier.
        let service: String
        /// The name of the account.
        let account: String
        /// The access group that shares the item, or nil for the program's own.
        let accessGroup: String?

        /// Makes a store.
        ///
        /// - Parameters:
        ///   - service: The name of the service, such as the program's identifier.
        ///   - account: The name of the account, such as the server's host and the user's name.
        ///   - accessGroup: The access group that shares the item. The default is nil: the program's own.
        public init(service: String, account: String, accessGroup: String? = nil) {
            self.service = service
            self.account = account
            self.accessGroup = accessGroup
        }

        /// Loads the token, or nil if there is none.
        ///
        /// - Throws: `CredentialStoreError`; the item is left as it is.
        public func load() async throws -> OAuthToken? { try await Blocking.run { [self] in try read() } }

        /// Replaces the token.
        ///
        /// - Throws: `CredentialStoreError`
        public func save(_ token: OAuthToken) async throws {
            let data = try JSONEncoder().encode(token)
            try await Blocking.run { [self] in try write(data) }
        }

        /// Deletes the token.
        ///
        /// - Throws: `CredentialStoreError`
        public func delete() async throws {
            try await Blocking.run { [self] in
                try check(SecItemDelete(query as CFDictionary), allowing: errSecItemNotFound)
            }
        }

        private func read() throws -> OAuthToken? {
            var query = query
            query[kSecReturnData as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            var item: CFTypeRef?
            try check(SecItemCopyMatching(query as CFDictionary, &item), allowing: errSecItemNotFound)
            guard let item else { return nil }
            guard let data = item as? Data, let token = try? JSONDecoder().decode(OAuthToken.self, from: data) else {
                throw CredentialStoreError.corrupt(path: "\(service)/\(account)")
            }
            return token
        }

        /// Updates the item, or adds one.
        private func write(_ data: Data) throws {
            let content: [String: Any] = [
                kSecValueData as String: data,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            let status = SecItemUpdate(query as CFDictionary, content as CFDictionary)
            guard status == errSecItemNotFound else { return try check(status) }
            let added = SecItemAdd(query.merging(content) { $1 } as CFDictionary, nil)
            guard added == errSecDuplicateItem else { return try check(added) }
            // Another program of the access group has added it meanwhile.
            try check(SecItemUpdate(query as CFDictionary, content as CFDictionary))
        }

        private var query: [String: Any] {
            var query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                // On macOS the other keychain supports neither access groups nor accessibility.
                kSecUseDataProtectionKeychain as String: true,
            ]
            if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
            return query
        }

        private func check(_ status: OSStatus, allowing other: OSStatus = errSecSuccess) throws {
            if status != errSecSuccess, status != other { throw CredentialStoreError.keychain(status: status) }
        }
    }
#endif
