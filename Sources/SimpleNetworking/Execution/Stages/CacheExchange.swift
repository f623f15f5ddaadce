/// One request on its way past the cache, to the server and back.
struct CacheExchange: Sendable {
    /// What is stored for the request, fresh or not.
    let stored: StoredResponse?
    private let request: TransportRequest
    private let key: CacheKey
    private let cookies: [String]
    private let change: Int
    private let cache: ResponseCache
    private let plan: RequestPlan
    private let log: EventLog

    init(_ request: TransportRequest, cache: ResponseCache, plan: RequestPlan, log: EventLog) async {
        self.request = request
        self.cache = cache
        self.plan = plan
        self.log = log
        change = cache.change
        cookies = plan.ambientCookies(for: request.url)
        let proofs = request.signature?.value.proofs(in: request.headers) ?? []
        let identity = CacheKey.Identity(
            account: proofs.isEmpty ? nil : request.signature?.value.account,
            proofs: proofs,
            sharing: plan.sharing,
            cookies: cookies
        )
        key = await cache.key(for: request.head, identity)
        stored = await cache.find(key)
    }

    func fetch(
        _ next: Middleware.Next
    ) async throws -> TransportResponse {
        let sent = cache.now()
        let response = try await next(request)
        keep(response, sent: sent)
        return response
    }

    /// Asks the server whether a stored answer still holds.
    func ask(
        about stored: StoredResponse,
        _ next: Middleware.Next
    ) async throws -> TransportResponse {
        var conditional = request
        conditional.headers.merge(stored.conditions)
        let sent = cache.now()
        let response = try await next(conditional)
        guard response.status == 304 else {
            keep(response, sent: sent)
            return response
        }
        // The server speaks of something that is not stored: it has to say all of it.
        guard stored.isConfirmed(by: response.headers) else { return try await fetch(next) }
        log.record(.cache(.confirmed))
        let confirmed = stored.confirmed(by: response.headers, times: (sent, cache.now()))
        keep(response, as: StoredResponse(confirmed, key, of: request.head))
        return confirmed.answer(with: response)
    }

    private func keep(_ response: TransportResponse, sent: Date) {
        guard request.method == .get, response.status != 304 else { return }
        let stored = StoredResponse(
            key,
            of: request.head,
            status: response.status,
            headers: response.headers,
            body: response.body,
            times: (sent, cache.now())
        )
        if keep(response, as: stored) { log.record(.cache(.stored)) }
    }

    @discardableResult
    private func keep(_ response: TransportResponse, as new: StoredResponse?) -> Bool {
        // A session of the caller's changed its cookies meanwhile: whose answer it is cannot be told.
        let new = plan.ambientCookies(for: request.url) == cookies ? new : nil
        let old = stored.flatMap { $0.entry == new?.entry ? nil : $0.entry }
        let replaces = (200...399).contains(response.status) || response.status == 404 || response.status == 410
        if let old, replaces { cache.drop(old) }
        return new.map { cache.store($0, since: change) } ?? false
    }
}

extension RequestPlan {
    /// Cookies that the engine adds by itself: only a caller's own session does.
    fileprivate func ambientCookies(for url: URL) -> [String] {
        (transport as? URLSessionTransport)?.cookies(for: url) ?? []
    }
}

extension StoredResponse {
    /// What was stored, as the answer to the request that had it confirmed; cookies that came with the 304 are for the jar.
    fileprivate func answer(with confirmation: TransportResponse) -> TransportResponse {
        var response = confirmation
        response.status = status
        response.headers = headers
        for cookie in confirmation.headers.values(for: "Set-Cookie") { response.headers.append("Set-Cookie", cookie) }
        response.body = body
        return response
    }
}
