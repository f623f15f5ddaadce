import DemoServer
import Foundation
import HumonClient
import SimpleNetworking
import SimpleNetworkingTesting

/// The two engines that a client may run on.
enum Engine: CaseIterable, Sendable {
    case usual, urlSession

    func select(_ configuration: inout SimpleNetworking.Configuration) {
        if self == .urlSession { configuration.sessionDelegate = SilentDelegate() }
        configuration.logger = .silent
    }
}

private final class SilentDelegate: NSObject, URLSessionDelegate, Sendable {}

/// Runs a test with a server of its own, and Humon's URL there.
func withServer(_ body: (DemoServer, URL) async throws -> Void) async throws {
    let server = try await DemoServer.start()
    do {
        try await body(server, server.baseURL.appendingPathComponent("humon/v1/"))
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
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

/// Waits for what a completion takes.
func value<Value>(_ begin: (@escaping (Value) -> Void) -> Void) async -> Value {
    await withCheckedContinuation { (continuation: CheckedContinuation<UncheckedBox<Value>, Never>) in
        begin { continuation.resume(returning: UncheckedBox(value: $0)) }
    }.value
}

/// Carries a value from the completion to the test, one after the other.
struct UncheckedBox<Value>: @unchecked Sendable { let value: Value }

extension DispatchQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this runs on the main queue, whichever thread serves it.
    static var isMain: Bool {
        getSpecific(key: mark) == true
    }

    /// Returns when all that was put into the queue before has run.
    func turn() async { await withCheckedContinuation { done in async { done.resume() } } }
}
