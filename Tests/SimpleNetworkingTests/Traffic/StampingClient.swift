import Foundation
import SimpleNetworkingCore

/// Has a hook, so that each attempt is prepared.
final class StampingClient: SimpleNetworking, @unchecked Sendable {
    override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
        attempt.headers["X-Prepared"] = "\(request.attempt)"
    }
}
