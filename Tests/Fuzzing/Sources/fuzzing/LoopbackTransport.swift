/// Sends nothing to anything but the server: what a mutated redirect names may lie anywhere.
struct LoopbackTransport: Transport {
    let engine: any Transport
    let server: URL

    var enforcesTimeouts: Bool { engine.enforcesTimeouts }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard request.url.host == server.host, request.url.port == server.port else {
            throw SimpleNetworkingError.invalidURL("elsewhere", reason: "only the loopback server is used")
        }
        return try await engine.send(request)
    }
}
