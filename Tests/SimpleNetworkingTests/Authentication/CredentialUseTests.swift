import Foundation
import Testing

@testable import SimpleNetworkingCore

/// Which credential the attempts of an execution carry.
@Suite
struct CredentialUseTests {
    private final class Owner {}
    private let client = Owner()
    private let other = Owner()
    private let resource = RefusingResource(RequestHead(method: .get, url: URL(fileURLWithPath: "/x")))

    private func mark(
        _ generation: CredentialGeneration,
        _ account: AccountNumber,
        isTrial: Bool = false
    ) -> RefreshState.Mark {
        RefreshState.Mark(generation: generation, account: account, signOuts: 0, hasFailed: false, isTrial: isTrial)
    }

    private func begin(
        _ use: inout CredentialUse,
        _ mark: RefreshState.Mark,
        of client: Owner? = nil,
        isSigned: Bool = false,
        isFirst: Bool = false
    ) -> Bool {
        let client = ObjectIdentifier(client ?? self.client)
        return use.begin(mark, of: client, isSigned: isSigned, isFirst: isFirst, isRefresh: false)
    }

    @Test
    func retryBelongsToTheAccountOfTheFirstAttemptOnly() {
        var use = CredentialUse()
        #expect(begin(&use, mark(0, 1), isFirst: true))
        #expect(begin(&use, mark(1, 1)))
        #expect(!begin(&use, mark(2, 2)))
        // An authenticator checks that by itself.
        #expect(begin(&use, mark(2, 2), isSigned: true))
    }

    @Test
    func furtherAttemptCarriesTheNewerCredential() {
        var use = CredentialUse()
        _ = begin(&use, mark(0, 1), isFirst: true)
        let isOwn = use.renew(mark(1, 1))
        #expect(isOwn)
        #expect(use.refusal(by: resource).stamp == 1)
        let isForeign = !use.renew(mark(2, 2))
        #expect(isForeign)
    }

    @Test
    func anotherClientCountsOtherAccounts() {
        var use = CredentialUse()
        #expect(begin(&use, mark(0, 1), isFirst: true))
        #expect(begin(&use, mark(0, 7), of: other))
        #expect(!begin(&use, mark(0, 8), of: other))
    }

    @Test
    func refreshIsForgottenByAFirstAttemptAndByAnotherClient() {
        for (isFirst, isElsewhere) in [(false, false), (true, false), (false, true)] {
            var use = CredentialUse()
            _ = begin(&use, mark(0, 0), isFirst: true)
            use.noteRefresh(to: 1)
            _ = begin(&use, mark(1, 0), of: isElsewhere ? other : nil, isFirst: isFirst)
            #expect((use.refreshed == 1) == (!isFirst && !isElsewhere))
            #expect(use.isAwaited == (!isFirst && !isElsewhere))
        }
    }

    @Test
    func refusalOfTheRefreshedCredentialIsOneAfterARefresh() {
        var use = CredentialUse()
        _ = begin(&use, mark(0, 0), isFirst: true)
        #expect(use.refusal(by: resource).history == .notRefreshed)
        use.noteRefresh(to: 1)
        #expect(use.refusal(by: resource).history == .notRefreshed)
        _ = begin(&use, mark(1, 0))
        #expect(use.refusal(by: resource).history == .refreshed)
        #expect(use.refusal(by: resource).stamp == 1)
    }

    @Test
    func oneRefreshThatWasFollowedByAWaitIsNotCounted() {
        var use = CredentialUse()
        _ = begin(&use, mark(0, 0), isFirst: true)
        use.noteTurn(hasWaited: true)
        #expect(use.refusal(by: resource).history == .notRefreshed)
        use.noteRefresh(to: 1)
        _ = begin(&use, mark(1, 0))
        use.noteTurn(hasWaited: false)
        #expect(use.refusal(by: resource).history == .refreshed)
        use.noteTurn(hasWaited: true)
        #expect(use.refusal(by: resource).history == .refreshedBeforeWait)
        #expect(use.refusal(by: resource).history == .refreshed)
        // Not in the execution that a `retry()` begins either.
        use = use.continued
        _ = begin(&use, mark(1, 0))
        use.noteTurn(hasWaited: true)
        #expect(use.refusal(by: resource).history == .refreshed)
    }

    @Test(arguments: [true, false])
    func clientWaitsForTheWordOfATrialUnlessAnAuthenticatorSaysIt(isSigned: Bool) {
        var use = CredentialUse()
        _ = begin(&use, mark(0, 0, isTrial: true), isSigned: isSigned, isFirst: true)
        #expect(use.isAwaited == !isSigned)
    }
}
