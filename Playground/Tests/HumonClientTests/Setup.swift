import ClientTestSupport
import DemoServer
import Foundation
import HumonClient
import SimpleNetworking
import SimpleNetworkingTesting

/// Runs a test with a server of its own, and Humon's URL there.
func withHumon(_ body: (DemoServer, URL) async throws -> Void) async throws {
    try await withServer(at: "humon/v1/", body)
}

extension Humon {
    /// A client of a stubbed server.
    convenience init(
        _ server: StubTransport,
        edition: HumonEdition = .users,
        account: HumonAccount = HumonAccount(logger: .silent)
    ) {
        self.init(edition: edition, appSecret: Secret("demo-secret"), account: account) {
            $0.transport = server
            $0.logger = .silent
        }
    }
}

extension HumonAccount {
    /// The account of an existing user.
    static func known(id: String = "7", token: String = "t") -> HumonAccount {
        let account = HumonAccount()
        account.userID = id
        account.token = Secret(token)
        return account
    }
}

extension Region {
    static let boston = Region(latitude: 42.35, longitude: -71.06, latitudeDelta: 0.2)
}

extension Event {
    static let party = Event(
        name: "Party",
        latitude: 42.35,
        longitude: -71.06,
        startedAt: Date(timeIntervalSince1970: 1_376_335_800)
    )
}
