/// Answers from the client's response cache, asks the server whether a stored answer still holds, and stores what comes.
///
/// It stands below redirects and cookies: what is stored under an address is what this address has answered, a redirect
/// too, so that a validator is never shown to another address than its own, and each redirect is followed by its own
/// rules. And it sees each request as it is sent, with the cookies and without the credentials that stay at home, which
/// is what keeps accounts apart.
struct CacheStage: Middleware {
    let plan: RequestPlan
    let log: EventLog

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard let directive = plan.cachePolicy.directive, !request.headers.contains("Cache-Control") else {
            return try await answer(request, next)
        }
        // Added on the way out, so that what comes is stored for requests without it.
        return try await answer(request) { request in
            var request = request
            request.headers.append("Cache-Control", directive)
            return try await next(request)
        }
    }

    private func answer(_ request: TransportRequest, _ next: Next) async throws -> TransportResponse {
        let wishes = CacheControl(request.headers)
        guard let cache = plan.cache, plan.cachePolicy != .none, request.mayBeCached, !wishes.has("no-store") else {
            return try await pass(request, wishes, next)
        }
        let exchange = await CacheExchange(request, cache: cache, plan: plan, log: log)
        let mayAnswer = plan.cachePolicy != .reload && !request.headers.isConditional
        let stored = exchange.stored.flatMap { mayAnswer && $0.body.count <= request.maxResponseSize ? $0 : nil }
        switch CacheDecision(stored, for: request.head, plan.cachePolicy, now: cache.now()) {
        case .give(let stored, let age):
            log.record(.cache(.hit))
            return stored.answer(to: request.head, age: age)
        case .notCached: throw SimpleNetworkingError.notCached(request.head)
        case .fetch: return try await exchange.fetch(next)
        case .ask(let stored): return try await exchange.ask(about: stored, next)
        }
    }

    /// What cannot be answered from the cache may still put an end to what is stored.
    private func pass(
        _ request: TransportRequest,
        _ wishes: CacheControl,
        _ next: Next
    ) async throws -> TransportResponse {
        let isOffline = plan.cachePolicy == .onlyCached || plan.cache != nil && wishes.has("only-if-cached")
        if isOffline { throw SimpleNetworkingError.notCached(request.head) }
        let response = try await next(request)
        await plan.cache?.invalidate(after: request.head, status: response.status, response.headers)
        return response
    }
}

extension TransportRequest {
    /// Whether the request is one whose answers a cache knows how to handle.
    fileprivate var mayBeCached: Bool {
        guard method == .get || method == .head, body.isNone, !headers.contains("Range"), case .memory = sink else {
            return false
        }
        return true
    }
}

extension StoredResponse {
    fileprivate func answer(to request: RequestHead, age: TimeInterval) -> TransportResponse {
        var headers = headers
        headers["Age"] = String(Int64(saturating: min(age, CacheControl.longest)))
        var response = TransportResponse(
            status: status,
            headers: headers,
            body: request.method == .head ? Data() : body
        )
        response.request = request
        return response
    }
}
