import ClientTestSupport
import DemoServer
import Foundation
import NationBuilderClient
import SimpleNetworking
import SimpleNetworkingOAuth
import SimpleNetworkingTesting
import Testing

/// NB-93: several accounts, and their list after a restart.
@Suite(.timeLimit(.minutes(1)))
struct AccountsTests {
    /// An account of a stubbed server, without a user.
    private func newAccount(
        _ me: [String] = [],
        of slug: String = "abe",
        store: NationCredentialStore = .memory()
    ) throws -> NationAccount {
        let server = StubTransport()
        for me in me { server.on("/api/v1/people/me", .json(#"{"person": {\#(me)}}"#), times: 1) }
        let url = try #require(URL(string: "https://\(slug).nationbuilder.com"))
        let authenticator = NationAuthenticator(baseURL: url, clientID: "c", store: store, logger: .silent)
        let nation = NationBuilder(slug: slug, authenticator: authenticator) {
            $0.transport = server
            $0.logger = .silent
        }
        return NationAccount(nation, authenticator)
    }

    /// An account whose user has signed in.
    private func account(
        _ id: Int,
        of slug: String = "abe",
        store: NationCredentialStore = .memory()
    ) async throws -> NationAccount {
        let account = try newAccount([#""id": \#(id), "username": "u\#(id)""#], of: slug, store: store)
        try await account.begin(with: OAuthToken(accessToken: Secret("s3cret-\(id)")))
        return account
    }

    /// An account of the demo server, without a user.
    private func visitor(
        _ url: URL,
        store: NationCredentialStore,
        engine: Engine = .usual,
        onSignOut: @escaping @Sendable (NationAccount) -> Void = { _ in }
    ) -> (NationAccount, NationAuthenticator) {
        let authenticator = NationAuthenticator(
            baseURL: url,
            clientID: "c",
            redirectScheme: "app",
            store: store,
            logger: .silent
        )
        let nation = NationBuilder(slug: "abe", authenticator: authenticator, configure: engine.select)
        return (NationAccount(nation, authenticator, onSignOut: onSignOut), authenticator)
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    private func withFile(_ body: (URL) async throws -> Void) async throws {
        try await withFolder { try await body($0.appendingPathComponent("accounts.json")) }
    }

    private func code(of work: () async throws -> Void) async -> NationError.Code? {
        await #expect(throws: NationError.self) { try await work() }?.code
    }

    // MARK: Adding and selecting

    // NB-93
    @Test
    func anAddedAccountIsSelectedAndSavedWithoutASecret() async throws {
        try await withFile { file in
            let accounts = NationAccounts(file: file)
            let (first, second) = (try await account(1), try await account(2, of: "ben"))
            try accounts.add(first)
            try accounts.add(second)
            #expect(accounts.saved.map(\.id) == [1, 2] && accounts.saved.map(\.name) == ["u1", "u2"])
            #expect(accounts.saved.map(\.slug) == ["abe", "ben"] && accounts.selected?.id == 2)
            #expect(accounts.saved.map(\.isSelected) == [false, true])
            #expect(accounts.account(of: accounts.saved[0]) === first)
            #expect(NationAccounts(file: file).saved == accounts.saved)
            #expect(try !String(contentsOf: file, encoding: .utf8).contains("s3cret"))
        }
    }

    // NB-93
    @Test
    func anAccountWithoutAUserIsNotAdded() async throws {
        try await withFile { file in
            let accounts = NationAccounts(file: file)
            let stranger = try newAccount()
            #expect(await code { try accounts.add(stranger) } == .invalidArgument)
            #expect(accounts.saved.isEmpty && !FileManager.default.fileExists(atPath: file.path))
        }
    }

    // NB-93
    @Test
    func theSelectionIsSavedAndMustBeInTheList() async throws {
        try await withFile { file in
            let accounts = NationAccounts(file: file)
            for id in 1...3 { try accounts.add(try await account(id)) }
            let first = accounts.saved[0]
            try accounts.select(first)
            #expect(accounts.saved.map(\.isSelected) == [true, false, false])
            #expect(NationAccounts(file: file).selected?.id == 1)
            try await accounts.signOut(of: first)
            #expect(await code { try accounts.select(first) } == .invalidArgument)
        }
    }

    // NB-93: a nation's name in a URL is case-insensitive.
    @Test
    func aDuplicateIsRejectedAndChangesNothing() async throws {
        try await withFile { file in
            let accounts = NationAccounts(file: file)
            for id in 1...2 { try accounts.add(try await account(id)) }
            let (saved, content) = (accounts.saved, try Data(contentsOf: file))
            let kept = accounts.account(of: saved[0])
            for slug in ["abe", "Abe"] {
                let duplicate = try await account(1, of: slug)
                #expect(await code { try accounts.add(duplicate) } == .invalidArgument)
            }
            #expect(try accounts.saved == saved && Data(contentsOf: file) == content)
            #expect(accounts.account(of: saved[0]) === kept)
            try accounts.add(try await account(1, of: "ben"))
            #expect(accounts.saved.map(\.slug) == ["abe", "abe", "ben"])
        }
    }

    // NB-93
    @Test
    func aFileThatCannotBeWrittenLeavesTheListAsItWas() async throws {
        try await withFolder { notAFolder in
            try Data().write(to: notAFolder)
            let accounts = NationAccounts(file: notAFolder.appendingPathComponent("accounts.json"))
            let account = try await account(1)
            #expect(await code { try accounts.add(account) } == .store)
            #expect(accounts.saved.isEmpty && accounts.selected == nil)
        }
    }

    // NB-93, from several threads.
    @Test
    func ofTwoAddsOfTheSameUserOneIsRejected() async throws {
        try await withFile { file in
            let accounts = NationAccounts(file: file)
            var rivals: [NationAccount] = []
            for id in 1...8 { rivals += [try await account(id), try await account(id)] }
            let (all, refusals) = (rivals, Lines())
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                DispatchQueue.global().async {
                    DispatchQueue.concurrentPerform(iterations: all.count) { index in
                        do { try accounts.add(all[index]) } catch { refusals.add("\(error)") }
                    }
                    done.resume()
                }
            }
            #expect(refusals.all.count == 8)
            #expect(accounts.saved.map(\.id).sorted() == Array(1...8))
            #expect(accounts.saved.filter(\.isSelected).count == 1)
            #expect(NationAccounts(file: file).saved == accounts.saved)
        }
    }
}

extension AccountsTests {
    // MARK: Signing out

    // NB-93
    @Test
    func aSignOutDiscardsOneCredentialAndSelectsTheFirstThatRemains() async throws {
        try await withFile { file in
            let (accounts, store) = (NationAccounts(file: file), NationCredentialStore.memory())
            for id in 1...3 { try accounts.add(try await account(id, store: store)) }
            let saved = accounts.saved
            let last = accounts.account(of: saved[2])
            try await accounts.signOut(of: saved[2])
            #expect(last?.client.apiKey == nil && last?.user == nil)
            #expect(await store.fetch("abe.nationbuilder.com-u3-3") == nil)
            #expect(await store.fetch("abe.nationbuilder.com-u1-1") != nil)
            #expect(accounts.saved.map(\.id) == [1, 2] && accounts.selected?.id == 1)
            try await accounts.signOut(of: saved[1])
            #expect(accounts.selected?.id == 1)
            #expect(await code { try await accounts.signOut(of: saved[1]) } == .invalidArgument)
            await accounts.account(of: saved[0])?.signOut()
            #expect(accounts.selected == nil && NationAccounts(file: file).saved.isEmpty)
        }
    }

    // NB-93
    @Test
    func aCredentialThatCannotBeDeletedKeepsItsPlaceInTheList() async throws {
        try await withFile { file in
            let accounts = NationAccounts(file: file)
            try accounts.add(try await account(1, store: NationCredentialStore { _ in StubbornStore() }))
            #expect(await code { try await accounts.signOut(of: accounts.saved[0]) } == .store)
            #expect(accounts.saved.map(\.id) == [1] && accounts.selected?.id == 1)
        }
    }

    // NB-93, NB-74: discarding says that nothing was stored.
    @Test
    func anAccountWhoseCredentialIsNotStoredCanSignOut() async throws {
        try await withFile { file in
            let (accounts, store) = (NationAccounts(file: file), NationCredentialStore.memory())
            try accounts.add(try await account(1, store: store))
            #expect(await store.delete("abe.nationbuilder.com-u1-1"))
            try await accounts.signOut(of: accounts.saved[0])
            #expect(accounts.saved.isEmpty)
        }
    }

    // NB-93, NB-91
    @Test(arguments: Engine.allCases)
    func aRejectedKeyRemovesTheAccountFromTheList(engine: Engine) async throws {
        try await withFile { file in
            try await withNation { _, url in
                let accounts = NationAccounts(file: file)
                let (signOuts, signedOut) = AsyncStream<Int>.makeStream()
                let (account, authenticator) = visitor(url, store: .memory(), engine: engine) { _ in
                    signedOut.yield(accounts.saved.count)
                    signedOut.finish()
                }
                try await account.begin(with: try await authenticator.authenticate { try await browse($0) })
                try accounts.add(try await self.account(7))
                try accounts.add(account)
                _ = try await SimpleNetworking(baseURL: url).send(SimpleNetworking.post("revoke"))
                await #expect(throws: SimpleNetworkingError.self) { try await account.client.call(.people()) }
                for await count in signOuts { #expect(count == 1, "the list is told before the app") }
                #expect(accounts.selected?.id == 7)
                #expect(NationAccounts(file: file).saved.map(\.id) == [7])
            }
        }
    }

    // NB-93, NB-91: a 401 that comes before the list looks.
    @Test
    func anAccountThatIsSignedOutIsNotAdded() async throws {
        try await withFile { file in
            let accounts = NationAccounts(file: file)
            let account = try await account(1)
            await account.signOut()
            #expect(await code { try accounts.add(account) } == .invalidArgument)
        }
    }

    // NB-93, NB-92
    @Test
    func theListUpdatesANameButRemovesAnotherUser() async throws {
        try await withFile { file in
            let (accounts, store) = (NationAccounts(file: file), NationCredentialStore.memory())
            let names = [#""id": 1, "username": "abe""#, #""id": 1, "username": "abraham""#, #""id": 2"#]
            let account = try newAccount(names, store: store)
            let credential = OAuthToken(accessToken: Secret("t"))
            try await account.begin(with: credential)
            try accounts.add(account)
            try await account.begin(with: credential)
            #expect(NationAccounts(file: file).selected?.name == "abraham")
            #expect(await store.fetch("abe.nationbuilder.com-abraham-1") == credential)
            #expect(await store.fetch("abe.nationbuilder.com-abe-1") == nil)
            try await account.begin(with: credential)
            #expect(accounts.saved.isEmpty)
        }
    }

    // NB-93, NB-75: with a credential there is no browser, so the first user's must not be found.
    @Test
    func aSecondUserOfANationSignsIn() async throws {
        try await withNation { _, url in
            let store = NationCredentialStore.memory()
            for key in ["demo-oauth-1", "demo-oauth-2"] {
                let (account, authenticator) = visitor(url, store: store)
                let credential = try await authenticator.authenticate { try await browse($0) }
                #expect(credential.accessToken == Secret(key))
                try await account.begin(with: credential)
                #expect(await store.fetch("127.0.0.1") == nil)
            }
        }
    }

    // MARK: Restarts

    // NB-93
    @Test(arguments: Engine.allCases)
    func afterARestartAnAccountResumesWithoutASignIn(engine: Engine) async throws {
        try await withFolder { folder in
            try await withNation { server, url in
                let (file, store) = (folder.appendingPathComponent("list"), NationCredentialStore.files(in: folder))
                let (account, authenticator) = visitor(url, store: store, engine: engine)
                try await account.begin(with: try await authenticator.authenticate { try await browse($0) })
                try NationAccounts(file: file).add(account)
                let asked = await server.log.lines.count

                let accounts = NationAccounts(file: file)
                let saved = try #require(accounts.selected)
                #expect(accounts.account(of: saved) == nil)
                let (again, _) = visitor(url, store: store, engine: engine)
                try await accounts.resume(saved, as: again)
                #expect(await server.log.lines.count == asked)
                #expect(accounts.account(of: saved) === again && again.name == "Person No. 1" && again.user?.id == 1)
                #expect(try await again.client.call(.person(5)).value?.id == 5)
                try await accounts.signOut(of: saved)
                #expect(await store.fetch("127.0.0.1-Person No. 1-1") == nil)
                #expect(NationAccounts(file: file).saved.isEmpty)
            }
        }
    }

    // NB-93
    @Test
    func anEntryIsResumedOnceAndWithItsOwnNation() async throws {
        try await withFile { file in
            let store = NationCredentialStore.memory()
            try NationAccounts(file: file).add(try await account(1, store: store))
            let accounts = NationAccounts(file: file)
            let saved = try #require(accounts.selected)
            #expect(await code { try await accounts.signOut(of: saved) } == .invalidArgument)
            let other = try newAccount(of: "ben", store: store)
            #expect(await code { try await accounts.resume(saved, as: other) } == .invalidArgument)
            let (first, second) = (try newAccount(store: store), try newAccount(store: store))
            try await accounts.resume(saved, as: first)
            #expect(await code { try await accounts.resume(saved, as: second) } == .invalidArgument)
            #expect(accounts.account(of: saved) === first && second.client.apiKey == nil)
        }
    }

    // NB-93
    @Test
    func anEntryWithoutACredentialLeavesTheListAndOneThatCannotBeReadStays() async throws {
        try await withFile { file in
            for id in 1...2 { try NationAccounts(file: file).add(try await account(id)) }
            let accounts = NationAccounts(file: file)
            let saved = try #require(accounts.selected)
            let folder = file.deletingLastPathComponent()
            let broken = folder.appendingPathComponent("abe.nationbuilder.com-u2-2.json")
            try Data("{".utf8).write(to: broken)
            #expect(chmod(broken.path, 0o600) == 0)
            let unreadable = try newAccount(store: .files(in: folder))
            #expect(await code { try await accounts.resume(saved, as: unreadable) } == .store)
            #expect(accounts.saved.map(\.id) == [1, 2])
            let empty = try newAccount()
            #expect(await code { try await accounts.resume(saved, as: empty) } == .authentication)
            #expect(accounts.selected?.id == 1 && NationAccounts(file: file).saved.map(\.id) == [1])
            #expect(empty.user == nil && empty.client.apiKey == nil)
        }
    }

    // NB-93
    @Test(arguments: [nil, "", "{", #"{"id": 1}"#, #"[{"id": -1, "name": "a", "slug": "a", "isSelected": true}]"#])
    func aFileThatIsMissingOrBrokenIsAnEmptyListAndStaysUntilTheNextChange(content: String?) async throws {
        try await withFile { file in
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try content.map { try Data($0.utf8).write(to: file) }
            let accounts = NationAccounts(file: file)
            #expect(accounts.saved.isEmpty && accounts.selected == nil)
            #expect((try? String(contentsOf: file, encoding: .utf8)) == content)
            try accounts.add(try await account(1))
            #expect(NationAccounts(file: file).saved == accounts.saved)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["accounts.json"])
        }
    }

    // NB-93
    @Test
    func aFileWithoutASelectionSelectsTheFirst() async throws {
        try await withFile { file in
            for id in 1...2 { try NationAccounts(file: file).add(try await account(id)) }
            let none = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(of: "true", with: "false")
            try Data(none.utf8).write(to: file)
            #expect(NationAccounts(file: file).selected?.id == 1)
        }
    }
}

/// Holds a token that can't be deleted.
private struct StubbornStore: CredentialStore {
    func load() -> OAuthToken? { OAuthToken(accessToken: Secret("t")) }
    func save(_ token: OAuthToken) {}
    func delete() throws { throw CredentialStoreError.notAFile(path: "here") }
}
