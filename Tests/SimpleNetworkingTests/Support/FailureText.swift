import SimpleNetworkingTesting

/// Returns the text of the error that some work throws, without the line that a check of the kit names.
func failureText(_ work: () async throws -> Void) async -> String {
    do {
        try await work()
        return "no failure"
    } catch {
        return (error as? any PlacedFailure)?.text ?? "\(error)"
    }
}
