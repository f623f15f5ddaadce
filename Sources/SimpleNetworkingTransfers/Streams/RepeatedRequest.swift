import SimpleNetworkingFeatureSupport

/// Sends copies of a request one after another as elements of a ``RequestSequence`` are awaited.
///
/// All of them belong to one account, and have one place among the requests that replace others. `cancel()` of the
/// request ends them.
final class RepeatedRequest {
    private let request: SimpleRequest
    private let client: SimpleNetworking
    private var account: AccountOfClient?
    private var lineage: Lineage?

    /// The copy to send now.
    private(set) var current: SimpleRequest

    /// Begins with a first copy of the request.
    init(of request: SimpleRequest, on client: SimpleNetworking) {
        self.request = request
        self.client = client
        current = request.repeatedCopy()
    }

    /// Takes the place among the requests that replace others, unless it has it.
    func begin() {
        if lineage != nil { return }
        let lineage = Lineage()
        current.keep(nil, lineage)
        request.add(lineage)
        self.lineage = lineage
    }

    /// Waits, and then makes the next copy.
    ///
    /// - Throws: `CancellationError` as soon as a newer request replaces it, or it or the task is cancelled.
    func advance(after seconds: TimeInterval) async throws {
        guard let lineage else { return }
        try await lineage.sleep(seconds, on: client.configuration.clock)
        account = current.account ?? account
        current = request.repeatedCopy()
        current.keep(account, lineage)
    }

    /// Gives up the place among the requests that replace others.
    func end() { lineage = nil }
}
