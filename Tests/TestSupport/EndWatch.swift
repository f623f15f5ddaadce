import Foundation
import SimpleNetworkingCore
import SimpleNetworkingTesting

/// Middleware that tells how the rest of the way has ended: a request may be over before its task is.
package struct EndWatch: Middleware {
    package let ends = Recorder<String>()

    package init() {}

    package func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        do {
            let response = try await next(request)
            ends.add("status \(response.httpStatus)")
            return response
        } catch {
            ends.add(Task.isCancelled ? "cancelled" : "failed")
            throw error
        }
    }
}

extension StubTransport {
    /// Waits until so many requests have come.
    package func receives(_ count: Int) async throws { try await eventually { self.requests.count >= count } }
}
