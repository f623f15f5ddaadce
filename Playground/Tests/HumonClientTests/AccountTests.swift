import Foundation
import HumonClient
import SimpleNetworking
import Testing

/// HU-40 to HU-44: the user and the store; the Keychain itself needs an Apple system.
@Suite(.timeLimit(.minutes(1)))
struct AccountTests {
    // HU-40, HU-41
    @Test
    func theStoreHasTwoNames() throws {
        let store = MemorySecretStore()
        let account = HumonAccount(store: store)
        account.userID = String(123)
        account.token = Secret("t")
        #expect(store.secret(named: "currentUserID") == Secret("123"))
        #expect(store.secret(named: "currentUserToken") == Secret("t"))
        #expect(account.userID == "123" && account.token == Secret("t"))
        account.userID = nil
        account.token = nil
        #expect(account.userID == nil && account.token == nil)
        #expect(store.secret(named: "currentUserID") == nil)
    }

    // HU-42
    @Test(arguments: [(nil, nil, false), ("1", nil, false), (nil, "t", false), ("1", "t", true)])
    func aUserNeedsAnIdentifierAndAToken(id: String?, token: String?, isLoggedIn: Bool) {
        let account = HumonAccount()
        account.userID = id
        account.token = token.map { Secret($0) }
        #expect(account.isLoggedIn == isLoggedIn)
        account.forget()
        #expect(!account.isLoggedIn)
    }

    // HU-43
    @Test
    func theUserIsKnownByTheIdentifier() {
        let account = HumonAccount.known(id: "7")
        #expect(account.isCurrentUser(HumonUser(id: "7")) && !account.isCurrentUser(HumonUser(id: "8")))
        #expect(!HumonAccount().isCurrentUser(HumonUser(id: "7")))
    }

    // HU-44
    @Test
    func aFailingStoreIsLogged() {
        let lines = Lines()
        let account = HumonAccount(store: BrokenStore(), logger: RequestLogger { lines.add("\($0): \($1)") })
        account.userID = "1"
        #expect(account.userID == nil && !account.isLoggedIn)
        #expect(lines.all.first?.hasPrefix("error: “currentUserID” could not be kept") == true)
        #expect(lines.all.count == 3)
    }
}

private struct BrokenStore: SecretStore {
    struct Failure: Error {}

    func secret(named name: String) throws -> Secret? { throw Failure() }
    func keep(_ secret: Secret?, named name: String) throws { throw Failure() }
}

/// Collects lines from any thread.
final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    func add(_ line: String) { lock.withLock { lines.append(line) } }
    var all: [String] { lock.withLock { lines } }
}
