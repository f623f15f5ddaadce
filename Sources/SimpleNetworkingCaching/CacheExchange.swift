import SimpleNetworkingFeatureSupport

/// A request that the cache passes on to the server, and its response.
///
/// The request may wait before it is sent, and then differ from what was looked up. Therefore, what becomes of its
/// response depends on the request as it was sent, and on what is stored for that request then.
final class CacheExchange: Sendable {
    /// The stored response, fresh or stale, if the request may use it.
    let usable: StoredResponse?
    private let stored: StoredResponse?
    private let request: TransportRequest
    private let moments: CacheMoments
    private let cache: ResponseCache
    private let attempt: Attempt
    private var policy: CachePolicy { attempt[CachePolicyFeature.self] }

    /// Looks up a request with the credential and the cookies of this moment.
    init(_ request: TransportRequest, cache: ResponseCache, since change: Int, for attempt: Attempt) async throws {
        self.request = request
        self.cache = cache
        self.attempt = attempt
        let shown = try await attempt.preview(request)
        moments = CacheMoments(attempt: change, request: cache.change)
        stored = await cache.find(CacheFacts(shown, of: attempt, at: cache.now()).key(in: cache))
        usable = stored.flatMap { request.mayUse($0, in: attempt) ? $0 : nil }
    }

    /// Sends the request, and lets the server validate a stored response that has a validator.
    ///
    /// What is stored is decided later: the attempt, or that of an unattended request, holds it until then.
    func send(
        validating stored: StoredResponse? = nil,
        in attempt: Attempt,
        _ next: Middleware.Next
    ) async throws -> TransportResponse {
        let stored = stored.flatMap { $0.hasValidator ? $0 : nil }
        let (request, departed) = outgoing(validating: stored)
        var response: TransportResponse
        do { response = try await next(request) } catch {
            let failure = SimpleNetworkingError(error, head: request.head)
            // Such as a refresh that fails without a network, or what refuses to send it for now.
            let isUnsent = failure.isTransient && failure.response == nil
            guard failure.hasNoResponse || isUnsent else { throw error }
            var sent = departed()
            if sent == nil { sent = await unsent() }
            guard let standIn = await standIn(for: sent) else { throw error }
            attempt.record(.failed(failure))
            attempt.record(.note(CacheStep.hit))
            return standIn
        }
        let sent = departed()
        if [500, 502, 503, 504].contains(response.httpStatus), let standIn = await standIn(for: sent) {
            attempt.record(.note(CacheStep.hit))
            return standIn
        }
        guard let stored, response.httpStatus == 304 else {
            await keep(response, of: sent, isNew: true, in: attempt)
            return response
        }
        // The 304 may refer to a response that isn't stored, or not for the request as it was sent.
        guard let current = await find(sent), current.entry == stored.entry, current.conditions == stored.conditions,
            current.isValidated(by: response.headers)
        else { return try await send(in: attempt, next) }
        attempt.record(.note(CacheStep.revalidated))
        // Cookies in the 304 are for the jar, and are not stored.
        let cookies = response.headers.values(for: "Set-Cookie")
        response.httpStatus = current.status
        response.headers = current.headers.updated(by: response.headers)
        response.data = current.body
        await keep(response, of: sent, isNew: false, in: attempt)
        for cookie in cookies { response.headers.append("Set-Cookie", cookie) }
        return response
    }

    /// Returns the request to pass on, and a closure that returns it as it was last sent; nil if it never was.
    private func outgoing(
        validating stored: StoredResponse?
    ) -> (request: TransportRequest, departed: @Sendable () -> CacheFacts?) {
        var request = request
        var added = HTTPHeaders()
        // The stage adds this field below.
        if let directive = policy.directive, !request.headers.contains("Cache-Control") {
            added.append("Cache-Control", directive)
        }
        if let stored {
            request.headers.merge(stored.conditions)
            added.merge(stored.conditions)
        }
        let last = Locked<CacheFacts?>(nil)
        request.onDeparture = { [attempt, cache, added] sent in
            let time = cache.now().addingTimeInterval(-sent.age)
            let facts = CacheFacts(sent.signed, without: added, of: attempt, at: time)
            last.withLock { $0 = facts }
        }
        return (request, { last.withLock { $0 } })
    }

    /// Returns the request as it would be sent now, or nil if only user code knows that.
    private func unsent() async -> CacheFacts? {
        if attempt.isOutdated(request) { return nil }
        guard let shown = try? await attempt.preview(request) else { return nil }
        return CacheFacts(shown, of: attempt, at: cache.now())
    }

    /// Returns the response that is stored for a request, which isn't the one that was looked up if it has changed.
    private func find(_ sent: CacheFacts?) async -> StoredResponse? {
        guard let sent, sent.head.method == request.method else { return nil }
        return await cache.find(sent.key(in: cache))
    }

    /// Returns the stored response that may replace a server error (RFC 5861 §4).
    private func standIn(for sent: CacheFacts?) async -> TransportResponse? {
        let requested = CacheControl(request.headers)
        guard policy == .use, !requested.has("no-cache"), let stored = await find(sent),
            request.mayUse(stored, in: attempt)
        else { return nil }
        let age = stored.age(at: cache.now())
        return stored.permits("stale-if-error", age: age, requested) ? stored.response(to: request.head, age: age) : nil
    }

    /// Stores the response when the verdict allows it, for the account for which the request was sent.
    private func keep(_ response: TransportResponse, of sent: CacheFacts?, isNew: Bool, in attempt: Attempt) async {
        let status = response.httpStatus
        guard let sent, request.method == .get, !request.headers.contains("Range"), status != 304 else { return }
        let key = await sent.key(in: cache)
        let times = (sent.time, cache.now())
        var new = StoredResponse(key, of: sent.head, status, response.headers, body: response.data, times: times)
        // A caller's session changed its cookies in the meantime, so the response's account is unknown.
        if !attempt.hasSameCookies(as: sent.owner) { new = nil }
        let replaces = !isNew || (200...399).contains(status) || [404, 410].contains(status)
        let old = replaces ? stored.flatMap { $0.matches(key) ? $0.entry : nil } : nil
        attempt.commit { [new, cache, moments] in
            if let old, old != new?.entry { cache.drop(old) }
            return if let new, cache.store(new, of: moments), isNew { CacheStep.stored } else { nil }
        }
    }
}

extension TransportRequest {
    /// Returns whether the request may use a stored response that matches it, in place of one from the server.
    fileprivate func mayUse(_ stored: StoredResponse, in attempt: Attempt) -> Bool {
        // RFC 9110 §13.1.
        let conditions = ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"]
        return attempt[CachePolicyFeature.self] != .reload && !conditions.contains(where: headers.contains)
            && stored.isUsable(for: self, isRetry: attempt.number > 1)
    }
}
