import SimpleNetworkingSupport

/// Refuses all requests of a client that has no engine for them.
package struct RefusingTransport: Transport {
    let reason: String

    package init(reason: String) { self.reason = reason }

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw SimpleNetworkingError.invalidRequest(reason: reason, request.head)
    }
}
