import Foundation
import SimpleNetworkingCore
import SimpleNetworkingTesting

/// A client whose hooks wait, read the settings, reject and retry at random.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class RandomClient: SimpleNetworking, @unchecked Sendable {
    private let scene: RandomScene
    private let waits: Bool
    private let rejects: Bool
    private let retries: Bool
    private let holdsBack: Bool

    init(_ scene: RandomScene, _ configure: (inout Configuration) -> Void) {
        self.scene = scene
        let world = scene.world
        (waits, rejects) = (world.chance(0.3), world.chance(0.2))
        (retries, holdsBack) = (world.chance(0.2), world.chance(0.2))
        super.init(host: RandomServer.host, configure: configure)
    }

    override func execute(request: SimpleRequest) {
        let entry = request.tags[RandomLedger.tag].flatMap { scene.ledger[$0] }
        guard holdsBack, entry?.wishes == 1, scene.world.chance(0.5) else { return super.execute(request: request) }
        scene.world.sometime("the client passes \(request) on") {
            // Whoever passes on what has ended executes it again.
            guard entry?.isActive == true else { return }
            entry?.begin(in: self.scene.users.session)
            super.execute(request: request)
        }
    }

    override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
        if waits, scene.world.chance(0.5) { await scene.world.pause() }
        attempt.headers["X-Prepared"] = defaultHeaders["X-Version"]
    }

    override func validate(_ response: SimpleResponse) throws {
        if rejects, scene.world.chance(0.2) { throw Rejection() }
        try super.validate(response)
    }

    override func shouldRetry(
        _ request: SimpleRequest,
        error: SimpleNetworkingError,
        attempt: Int
    ) async throws -> Bool {
        guard retries, scene.world.chance(0.3) else { return false }
        await scene.world.pause()
        // The program's own wish.
        request.tags[RandomLedger.tag].flatMap { scene.ledger[$0] }?.wish()
        return true
    }

    private struct Rejection: Error {}
}
