import SimpleNetworkingSupport

#if canImport(Security)
    import Security

    /// Stores a token in the Keychain, as a generic password for this device.
    ///
    /// The token is readable after the first unlock since the device started, including in the background, and is not
    /// part of backups. On macOS, the token is stored in the data protection keychain, which requires the program to be
    /// signed with an application identifier. Otherwise, each call throws
    /// `CredentialStoreError.keychain(status: -34018)`.
    ///
    /// Programs in one access group, and sessions in one program, refresh the token one at a time. Each of them adds a
    /// second Keychain item while it refreshes, and the others wait until that item is removed. The second item expires
    /// after 40 seconds, because the program that added it may end or be suspended. If a suspended program resumes
    /// later, while its request is still in progress, two programs may have refreshed the token. A server that accepts
    /// each refresh token only once may then sign the user out.
    public struct KeychainCredentialStore: CredentialStore {
        /// The name of the service, such as the program's identifier.
        let service: String
        /// The name of the account.
        let account: String
        /// The access group that shares the item, or nil for the program's own.
        let accessGroup: String?
        private let lockTimeout: TimeInterval

        /// Creates a store for a Keychain item.
        ///
        /// - Parameters:
        ///   - service: The name of the service, such as the program's identifier.
        ///   - account: The name of the account, such as the server's host and the user's name.
        ///   - accessGroup: The access group that shares the item. If nil (the default), the program's own group is
        ///     used.
        ///   - lockTimeout: How long to wait for another program that refreshes the token, in seconds. The default is
        ///     60.
        public init(service: String, account: String, accessGroup: String? = nil, lockTimeout: TimeInterval = 60) {
            self.service = service
            self.account = account
            self.accessGroup = accessGroup
            self.lockTimeout = lockTimeout
        }

        /// Returns the stored token, or nil if no token is stored.
        ///
        /// - Throws: `CredentialStoreError`. The item is left unchanged.
        public func load() async throws -> OAuthToken? { try await Blocking.run { [self] in try read() } }

        /// Replaces the stored token.
        ///
        /// - Throws: `CredentialStoreError`.
        public func save(_ token: OAuthToken) async throws {
            let data = try JSONEncoder().encode(token)
            try await Blocking.run { [self] in try write(data) }
        }

        /// Deletes the stored token.
        ///
        /// - Throws: `CredentialStoreError`.
        public func delete() async throws {
            try await Blocking.run { [self] in
                try check(SecItemDelete(query as CFDictionary), allowing: errSecItemNotFound)
            }
        }

        /// Runs work exclusively among all programs and sessions that use the same account.
        ///
        /// The lock excludes the programs in the access group and other sessions in this program. The lock is a
        /// Keychain item with an account name that ends in `.lock`.
        ///
        /// - Throws: `CredentialStoreError`, `CancellationError` if the task is cancelled during the wait, and errors
        ///   from `work`.
        public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
            let items = KeychainLease(
                store: KeychainCredentialStore(service: service, account: account + ".lock", accessGroup: accessGroup)
            )
            let lock = LeaseLock(
                items: items,
                name: "\(service)/\(account)",
                timeout: lockTimeout,
                clock: SystemClock(),
                now: { Date() }
            )
            return try await lock.exclusively(work)
        }

        fileprivate func read<Content: Decodable>() throws -> Content? {
            var query = query
            query[kSecReturnData as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            var item: CFTypeRef?
            try check(SecItemCopyMatching(query as CFDictionary, &item), allowing: errSecItemNotFound)
            guard let item else { return nil }
            guard let data = item as? Data, let content = try? JSONDecoder().decode(Content.self, from: data) else {
                throw CredentialStoreError.corrupt(path: "\(service)/\(account)")
            }
            return content
        }

        /// Updates the item, or adds one.
        private func write(_ data: Data) throws {
            let content = content(data)
            let status = SecItemUpdate(query as CFDictionary, content as CFDictionary)
            guard status == errSecItemNotFound else { return try check(status) }
            let added = SecItemAdd(query.merging(content) { $1 } as CFDictionary, nil)
            guard added == errSecDuplicateItem else { return try check(added) }
            // Another program in the access group has added the item in the meantime.
            try check(SecItemUpdate(query as CFDictionary, content as CFDictionary))
        }

        fileprivate func content(_ data: Data) -> [String: Any] {
            [
                kSecValueData as String: data,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
        }

        fileprivate var query: [String: Any] {
            var query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                // On macOS, the other keychain supports neither access groups nor accessibility.
                kSecUseDataProtectionKeychain as String: true,
            ]
            if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
            return query
        }

        fileprivate func check(_ status: OSStatus, allowing other: OSStatus = errSecSuccess) throws {
            if status != errSecSuccess, status != other { throw CredentialStoreError.keychain(status: status) }
        }
    }

    /// The lock's item in the Keychain, next to the token.
    private struct KeychainLease: LeaseItems {
        let store: KeychainCredentialStore

        /// Adding fails if there is already an item for this service and account, whatever its content.
        func add(_ lease: Lease) throws -> Bool {
            let content = store.content(try JSONEncoder().encode(lease)).merging(owner(of: lease)) { $1 }
            let status = SecItemAdd(store.query.merging(content) { $1 } as CFDictionary, nil)
            if status == errSecDuplicateItem { return false }
            try store.check(status)
            return true
        }

        func read() throws -> Lease? { try store.read() }

        func remove(_ lease: Lease) throws {
            let query = store.query.merging(owner(of: lease)) { $1 }
            try store.check(SecItemDelete(query as CFDictionary), allowing: errSecItemNotFound)
        }

        private func owner(of lease: Lease) -> [String: Any] {
            [kSecAttrGeneric as String: Data(lease.owner.utf8)]
        }
    }
#endif
