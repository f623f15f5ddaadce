import SimpleNetworkingSupport

/// Sends requests that follow each other as elements of a ``RequestSequence`` are awaited.
///
/// All of them belong to one account, and have one place among the requests that replace others.
final class RequestSeries {
    private let request: SimpleRequest
    private let client: SimpleNetworking
    private var account: AccountOfClient?
    private var lineage: Lineage?

    /// Begins a series of copies of a request.
    init(of request: SimpleRequest, on client: SimpleNetworking) {
        self.request = request.copy()
        self.client = client
    }

    /// Sends the request for the target of a follow-up, and returns its content's source.
    ///
    /// `ignore` records that something had no effect, for a reason.
    func send(
        _ followUp: any FollowUp
    ) async throws -> (source: ValueSource, ignore: (_ reason: String) -> Void) {
        let lineage = lineage ?? Lineage()
        self.lineage = lineage
        let asked = request.copy(for: followUp)
        asked.keep(account, lineage)
        let response = try await client.send(asked)
        account = asked.account
        let source = ValueSource(response, of: asked, on: client, for: followUp)
        return (source, { [client] in asked.ignore($0, on: client) })
    }

    /// Gives up the place among the requests that replace others.
    func end() { lineage = nil }
}
