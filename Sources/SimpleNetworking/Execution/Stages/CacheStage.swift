/// Responds from the client's cache, revalidates stale responses, and stores new ones.
///
/// This stage is below redirects and cookies. Responses stored for a URL, including redirects, came from that URL, so
/// no other server sees its validators. The stage sees each request as it is sent, with cookies and without withheld
/// credentials, which separates accounts.
struct CacheStage: Middleware {
    let plan: RequestPlan
    let execution: Execution
    /// The cache's count of invalidations when the attempt began.
    private let change: Int

    init(plan: RequestPlan, execution: Execution) {
        self.plan = plan
        self.execution = execution
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
        let exchange = await CacheExchange(request, cache: cache, since: change, plan: plan, execution: execution)
        switch CacheDecision(exchange.usable, for: request.head, plan.cachePolicy, now: cache.now()) {
        case .serve(let stored, let age, let isRevalidated):
            execution.record(.cache(.hit))
            if isRevalidated {
                cache.revalidate(stored.entry, on: plan.scheduler) {
                    _ = try? await exchange.send(validating: stored, next)
                    // Nobody rebuilds the request if its credential became outdated.
                    execution.giveBackKeptSlot()
                }
            }
            return stored.response(to: request.head, age: age)
        case .notCached: throw SimpleNetworkingError.notCached(request.head)
        case .send(let stored): return try await exchange.send(validating: stored, next)
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
        return response
    }
}

/// A request that the cache passes on to the server, and its response.
final class CacheExchange: Sendable {
    /// The stored response, fresh or stale, if the request may use it.
    let usable: StoredResponse?
    private let stored: StoredResponse?
    private let request: TransportRequest
    private let key: CacheKey
    private let cookies: [String]
    private let moments: CacheMoments
    private let cache: ResponseCache
    private let plan: RequestPlan
    private let execution: Execution

    init(
        _ request: TransportRequest,
        cache: ResponseCache,
        since change: Int,
        plan: RequestPlan,
        execution: Execution
    ) async {
        self.request = request
        self.cache = cache
        self.plan = plan
        self.execution = execution
        moments = CacheMoments(attempt: change, request: cache.change)
        cookies = plan.engine.addedCookies(request.url)
        let proofs = request.signature?.value.proofs(in: request.headers) ?? []
        let account = proofs.isEmpty ? nil : request.signature?.value.account
        let identity = CacheKey.Identity(account: account, proofs: proofs, sharing: plan.sharing, cookies: cookies)
        key = await cache.key(for: request.head, identity)
        stored = await cache.find(key)
        // RFC 9110 §13.1.
        let conditions = ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"]
        let mayReuse = plan.cachePolicy != .reload && !conditions.contains(where: request.headers.contains)
        let isUsable = mayReuse && stored?.isUsable(for: request, isRetry: execution.sentAttempt > 1) == true
        usable = isUsable ? stored : nil
    }

    /// Sends the request, and lets the server validate a stored response that has a validator.
    func send(validating stored: StoredResponse? = nil, _ next: Middleware.Next) async throws -> TransportResponse {
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
            if keep(response, sent: sent, isNew: true) { execution.record(.cache(.stored)) }
            return response
        }
        // The 304 refers to a response that isn't stored.
        guard stored.isValidated(by: response.headers) else { return try await send(next) }
        execution.record(.cache(.revalidated))
        // Cookies in the 304 are for the jar, and are not stored.
        let cookies = response.headers.values(for: "Set-Cookie")
        response.httpStatus = stored.status
        response.headers = stored.headers.updated(by: response.headers)
        response.data = stored.body
        _ = keep(response, sent: sent, isNew: false)
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

    private func keep(_ response: TransportResponse, sent: Date, isNew: Bool) -> Bool {
        let status = response.httpStatus
        let headers = response.headers
        guard request.method == .get, !request.headers.contains("Range"), status != 304 else { return false }
        let times = (sent, cache.now())
        var new = StoredResponse(key, of: request.head, status, headers, body: response.data, times: times)
        // A caller's session changed its cookies in the meantime, so the response's account is unknown.
        if plan.engine.addedCookies(request.url) != cookies { new = nil }
        let replaces = !isNew || (200...399).contains(status) || [404, 410].contains(status)
        if replaces, let old = stored?.entry, old != new?.entry { cache.drop(old) }
        return new.map { cache.store($0, of: moments) } ?? false
    }
}
