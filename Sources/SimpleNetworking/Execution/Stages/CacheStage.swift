/// Responds from the client's cache, revalidates stale responses, and stores new ones.
///
/// This stage is below redirects. Responses stored for a URL, including redirects, came from that URL, so no other server
/// sees its validators. The stage asks how each request would be sent now, with cookies and without withheld
/// credentials, which separates accounts. A stored response needs no refresh, and waits for nothing.
struct CacheStage: Middleware {
    let plan: RequestPlan
    let execution: Execution
    let departure: DepartureStage
    /// What waits for the verdict on the attempt's response.
    let commits: Commits?
    /// The cache's count of invalidations when the attempt began.
    private let change: Int

    init(plan: RequestPlan, execution: Execution, departure: DepartureStage, commits: Commits?) {
        self.plan = plan
        self.execution = execution
        self.departure = departure
        self.commits = commits
        change = plan.settings.configuration.cache?.change ?? 0
    }

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard let directive = plan.cachePolicy.directive, !request.headers.contains("Cache-Control") else {
            return try await respond(to: request, next)
        }
        // Added below the cache, so that the response is stored for requests without the field.
        return try await respond(to: request) { request in
            var request = request
            request.headers.append("Cache-Control", directive)
            return try await next(request)
        }
    }

    private func respond(to request: TransportRequest, _ next: @escaping Next) async throws -> TransportResponse {
        let requested = CacheControl(request.headers)
        let configured = plan.settings.configuration.cache
        guard let cache = configured, plan.cachePolicy != .none, request.isCacheable, !requested.has("no-store") else {
            if plan.cachePolicy == .onlyCached || configured != nil && requested.has("only-if-cached") {
                throw SimpleNetworkingError.notCached(request.head)
            }
            let response = try await next(request)
            // The response may still invalidate stored ones.
            await configured?.invalidate(after: request.head, status: response.httpStatus, response.headers)
            return response
        }
        let shown = try await departure.preview(request)
        let exchange = await CacheExchange(request, shown, cache: cache, since: change, plan: plan, execution: execution)
        switch CacheDecision(exchange.usable, for: request.head, plan.cachePolicy, now: cache.now()) {
        case .serve(let stored, let age, let isRevalidated):
            execution.record(.cache(.hit))
            if isRevalidated {
                cache.revalidate(stored.entry, on: plan.scheduler) {
                    let commits = Commits()
                    guard let response = try? await exchange.send(validating: stored, into: commits, next) else { return }
                    if !plan.isRefused(response) { commits.run() }
                }
            }
            return stored.response(to: request.head, age: age)
        case .notCached: throw SimpleNetworkingError.notCached(request.head)
        case .send(let stored): return try await exchange.send(validating: stored, into: commits, next)
        }
    }
}

extension TransportRequest {
    fileprivate var isCacheable: Bool {
        guard body.isNone, case .memory = sink else { return false }
        return method == .get || method == .head && !headers.contains("Range")
    }
}

extension StoredResponse {
    /// Returns whether a request may use the stored response, rather than only a new one from the server.
    fileprivate func isUsable(for request: TransportRequest, isRetry: Bool) -> Bool {
        // The purpose of a retry is to get something other than the same error.
        if status >= 400, isRetry { return false }
        // The content of a redirect that was followed was discarded.
        let isDiscarded = (300...399).contains(status) && body.isEmpty && headers["Content-Length"] != "0"
        if isDiscarded, headers.contains("Location"), !request.followsRedirects { return false }
        if let range = request.headers["Range"], part(range) == nil { return false }
        return body.count <= request.maxResponseSize
    }

    /// Returns the bytes of a range, or nil if the server must decide (RFC 9110 §14.2).
    private func part(_ range: String) -> Range<Int>? {
        // Ranges of coded content count coded bytes.
        guard status == 200, !headers.contains("Content-Encoding") else { return nil }
        return ContentRange.bytes(range, of: body.count)
    }

    fileprivate func response(to request: RequestHead, age: TimeInterval) -> TransportResponse {
        let data = request.method == .head ? Data() : body
        var response = TransportResponse(httpStatus: status, headers: headers, data: data)
        response.headers["Age"] = String(Int64(saturating: min(age, CacheControl.longest)))
        if let range = request.headers["Range"].flatMap(part) {
            response.httpStatus = 206
            response.headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)"
            response.headers["Content-Length"] = String(range.count)
            response.data = Data(body.dropFirst(range.lowerBound).prefix(range.count))
        }
        response.request = request
        response.isStored = true
        return response
    }
}

/// A request that the cache passes on to the server, and its response.
final class CacheExchange: Sendable {
    /// The stored response, fresh or stale, if the request may use it.
    let usable: StoredResponse?
    private let stored: StoredResponse?
    private let request: TransportRequest
    /// The request with the credential and the cookies of the moment when it was looked up.
    private let shown: TransportRequest
    private let key: CacheKey
    private let cookies: [String]
    private let moments: CacheMoments
    private let cache: ResponseCache
    private let plan: RequestPlan
    private let execution: Execution

    init(
        _ request: TransportRequest,
        _ shown: TransportRequest,
        cache: ResponseCache,
        since change: Int,
        plan: RequestPlan,
        execution: Execution
    ) async {
        self.request = request
        self.shown = shown
        self.cache = cache
        self.plan = plan
        self.execution = execution
        moments = CacheMoments(attempt: change, request: cache.change)
        cookies = plan.engine.addedCookies(request.url)
        key = await cache.key(for: shown.head, plan.identity(of: shown, cookies: cookies))
        stored = await cache.find(key)
        // RFC 9110 §13.1.
        let conditions = ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"]
        let mayReuse = plan.cachePolicy != .reload && !conditions.contains(where: request.headers.contains)
        let isUsable = mayReuse && stored?.isUsable(for: request, isRetry: execution.sentAttempt > 1) == true
        usable = isUsable ? stored : nil
    }

    /// Sends the request, and lets the server validate a stored response that has a validator.
    ///
    /// What is stored is decided later: `commits` holds it until then.
    func send(
        validating stored: StoredResponse? = nil,
        into commits: Commits?,
        _ next: Middleware.Next
    ) async throws -> TransportResponse {
        var request = request
        let stored = stored.flatMap { $0.hasValidator ? $0 : nil }
        if let stored { request.headers.merge(stored.conditions) }
        let sent = cache.now()
        var response: TransportResponse
        do { response = try await next(request) } catch {
            let failure = SimpleNetworkingError(error, head: request.head)
            guard failure.hasNoResponse, let standIn else { throw error }
            execution.record(.failed(failure))
            execution.record(.cache(.hit))
            return standIn
        }
        if [500, 502, 503, 504].contains(response.httpStatus), let standIn {
            execution.record(.cache(.hit))
            return standIn
        }
        guard let stored, response.httpStatus == 304 else {
            await keep(response, sent: sent, isNew: true, commits)
            return response
        }
        // The 304 refers to a response that isn't stored.
        guard stored.isValidated(by: response.headers) else { return try await send(into: commits, next) }
        execution.record(.cache(.revalidated))
        // Cookies in the 304 are for the jar, and are not stored.
        let cookies = response.headers.values(for: "Set-Cookie")
        response.httpStatus = stored.status
        response.headers = stored.headers.updated(by: response.headers)
        response.data = stored.body
        await keep(response, sent: sent, isNew: false, commits)
        for cookie in cookies { response.headers.append("Set-Cookie", cookie) }
        return response
    }

    /// The stored response, if it may replace a server error (RFC 5861 §4).
    private var standIn: TransportResponse? {
        let requested = CacheControl(request.headers)
        guard plan.cachePolicy == .use, !requested.has("no-cache"), let usable else { return nil }
        let age = usable.age(at: cache.now())
        return usable.permits("stale-if-error", age: age, requested) ? usable.response(to: request.head, age: age) : nil
    }

    /// Stores the response when the verdict allows it, for the account for which the request was sent.
    private func keep(_ response: TransportResponse, sent: Date, isNew: Bool, _ commits: Commits?) async {
        let status = response.httpStatus
        let headers = response.headers
        guard request.method == .get, !request.headers.contains("Range"), status != 304 else { return }
        let times = (sent, cache.now())
        let (head, key) = await identityAsSent(response)
        var new = StoredResponse(key, of: head, status, headers, body: response.data, times: times)
        // A caller's session changed its cookies in the meantime, so the response's account is unknown.
        if plan.engine.addedCookies(request.url) != cookies { new = nil }
        let replaces = !isNew || (200...399).contains(status) || [404, 410].contains(status)
        let old = replaces ? stored?.entry : nil
        let commit: @Sendable () -> Void = { [new, cache, moments, execution] in
            if let old, old != new?.entry { cache.drop(old) }
            if let new, cache.store(new, of: moments), isNew { execution.record(.cache(.stored)) }
        }
        if let commits { commits.add(commit) } else { commit() }
    }

    /// Returns the head and the key of the request as it was sent, which may have waited for a new token or new cookies.
    private func identityAsSent(_ response: TransportResponse) async -> (RequestHead, CacheKey) {
        guard let sent = response.request else { return (shown.head, key) }
        var known = shown
        for name in (shown.signature?.value.fields.map(\.name) ?? []) + ["Cookie"] {
            known.headers[name] = sent.headers[name]
        }
        if known.headers == shown.headers { return (shown.head, key) }
        if let signature = shown.signature?.value {
            let fields = known.headers.fields.filter { field in
                signature.fields.contains { $0.name.isSameFieldName(as: field.name) }
            }
            known.signature = Boxed(Signature(account: signature.account, fields: fields))
        }
        return (known.head, await cache.key(for: known.head, plan.identity(of: known, cookies: cookies)))
    }
}

extension RequestPlan {
    /// Returns what separates the stored responses of accounts.
    fileprivate func identity(of request: TransportRequest, cookies: [String]) -> CacheKey.Identity {
        let proofs = request.signature?.value.proofs(in: request.headers) ?? []
        let account = proofs.isEmpty ? nil : request.signature?.value.account
        return CacheKey.Identity(account: account, proofs: proofs, sharing: sharing, cookies: cookies)
    }

    /// Returns whether a response that nobody waits for rejects the credential.
    fileprivate func isRefused(_ response: TransportResponse) -> Bool {
        settings.configuration.authenticator?.isRefusal(response) ?? false
    }
}
