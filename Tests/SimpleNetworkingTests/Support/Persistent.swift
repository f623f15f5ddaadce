import Foundation
import SimpleNetworkingCore

/// Sends each failed attempt again, by its hook.
final class Persistent: SimpleNetworking, @unchecked Sendable {
    override func shouldRetry(
        _ request: SimpleRequest,
        error: SimpleNetworkingError,
        attempt: Int
    ) async throws -> Bool { true }
}
