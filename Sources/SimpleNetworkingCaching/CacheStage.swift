import SimpleNetworkingFeatureSupport

/// Responds from the client's cache, revalidates stale responses, and stores new ones.
///
/// This stage is below redirects. Responses stored for a URL, including redirects, came from that URL, so no other server
/// sees its validators. The stage asks how each request would be sent now, with cookies and without withheld
/// credentials, which separates accounts. A stored response needs no refresh, and waits for nothing.
struct CacheStage: Middleware {
    private let attempt: Attempt
    /// The client's cache; nil if only the policy counts.
    private let cache: ResponseCache?
    /// The cache's count of invalidations when the attempt began.
    private let change: Int
    private var policy: CachePolicy { attempt[CachePolicyFeature.self] }

    init(_ cache: ResponseCache?, for attempt: Attempt) {
        self.attempt = attempt
        self.cache = cache
        change = cache?.change ?? 0
    }

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard let directive = policy.directive, !request.headers.contains("Cache-Control") else {
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
        guard let cache, policy != .none, request.isCacheable, !requested.has("no-store") else {
            if policy == .onlyCached || cache != nil && requested.has("only-if-cached") {
                throw SimpleNetworkingError.notCached(request.head)
            }
            return try await next(request)
        }
        let exchange = try await CacheExchange(request, cache: cache, since: change, for: attempt)
        switch CacheDecision(exchange.usable, for: request.head, policy, now: cache.now()) {
        case .serve(let stored, let age, let isRevalidated):
            attempt.record(.note(CacheStep.hit))
            if isRevalidated {
                cache.revalidate(stored.entry, on: attempt.scheduler) { [unattended = attempt.unattended] in
                    let response = try? await exchange.send(validating: stored, in: unattended, next)
                    unattended.end(with: response, to: request.head)
                }
            }
            return stored.response(to: request.head, age: age)
        case .notCached: throw SimpleNetworkingError.notCached(request.head)
        case .send(let stored): return try await exchange.send(validating: stored, in: attempt, next)
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
        response.headers["Age"] = String(Int64(saturating: min(age, FieldDelay.longest)))
        if let range = request.headers["Range"].flatMap(part) {
            response.httpStatus = 206
            response.headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)"
            response.headers["Content-Length"] = String(range.count)
            response.data = Data(body.dropFirst(range.lowerBound).prefix(range.count))
        }
        response.request = request
        response.isLocal = true
        return response
    }
}
