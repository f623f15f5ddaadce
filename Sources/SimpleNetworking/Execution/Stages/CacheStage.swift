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
            // A signature may have changed the URL.
            if let sent = response.request, sent.url != request.url {
                await configured?.invalidate(after: sent, status: response.httpStatus, response.headers)
            }
            return response
        }
        let shown = try await departure.preview(request)
        let exchange = await CacheExchange(
            request,
            shown,
            cache: cache,
            since: change,
            plan: plan,
            execution: execution
        )
        switch CacheDecision(exchange.usable, for: request.head, plan.cachePolicy, now: cache.now()) {
        case .serve(let stored, let age, let isRevalidated):
            execution.record(.cache(.hit))
            if isRevalidated {
                cache.revalidate(stored.entry, on: plan.scheduler) {
                    let commits = Commits()
                    let response = try? await exchange.send(validating: stored, into: commits, next)
                    guard let response, !plan.isRefused(response) else { return }
                    if !plan.isRejected(plan.result(of: response, to: request.head, attempt: 1)) { commits.run() }
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
    func isUsable(for request: TransportRequest, isRetry: Bool) -> Bool {
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

    func response(to request: RequestHead, age: TimeInterval) -> TransportResponse {
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
