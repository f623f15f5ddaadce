import SimpleNetworking

/// Forgets every request.
nonisolated class SwallowingAPI: SimpleNetworking, @unchecked Sendable {
    override func execute(request: SimpleRequest) {}
}
