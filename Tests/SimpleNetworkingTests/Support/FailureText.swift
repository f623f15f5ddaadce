/// Returns the text of the error that some work throws.
func failureText(_ work: () async throws -> Void) async -> String {
    do {
        try await work()
        return "no failure"
    } catch {
        return "\(error)"
    }
}
