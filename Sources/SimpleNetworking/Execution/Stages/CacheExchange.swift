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
            keep(response, of: await identityAsSent(response), sent: sent, isNew: true, commits)
            return response
        }
        // The 304 refers to a response that isn't stored.
        let identity = await identityAsSent(response)
        guard identity != nil, stored.isValidated(by: response.headers) else {
            return try await send(into: commits, next)
        }
        execution.record(.cache(.revalidated))
        // Cookies in the 304 are for the jar, and are not stored.
        let cookies = response.headers.values(for: "Set-Cookie")
        response.httpStatus = stored.status
        response.headers = stored.headers.updated(by: response.headers)
        response.data = stored.body
        keep(response, of: identity, sent: sent, isNew: false, commits)
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
    private func keep(
        _ response: TransportResponse,
        of identity: (head: RequestHead, key: CacheKey)?,
        sent: Date,
        isNew: Bool,
        _ commits: Commits?
    ) {
        let status = response.httpStatus
        let headers = response.headers
        guard request.method == .get, !request.headers.contains("Range"), status != 304 else { return }
        let times = (sent, cache.now())
        var new = identity.flatMap { identity in
            StoredResponse(identity.key, of: identity.head, status, headers, body: response.data, times: times)
        }
        // A caller's session changed its cookies in the meantime, so the response's account is unknown.
        if plan.engine.addedCookies(request.url) != cookies { new = nil }
        let replaces = !isNew || (200...399).contains(status) || [404, 410].contains(status)
        let old = replaces && identity != nil ? stored?.entry : nil
        let commit: @Sendable () -> Void = { [new, cache, moments, execution] in
            if let old, old != new?.entry { cache.drop(old) }
            if let new, cache.store(new, of: moments), isNew { execution.record(.cache(.stored)) }
        }
        if let commits { commits.add(commit) } else { commit() }
    }

    /// Returns the head and the key of the request as it was sent, which may have waited for a new token or new cookies.
    ///
    /// The result is nil if it was sent for another account, or otherwise differs from what was looked up.
    private func identityAsSent(_ response: TransportResponse) async -> (head: RequestHead, key: CacheKey)? {
        guard let sent = response.request else { return (shown.head, key) }
        let signature = shown.signature?.value
        let names = (signature?.fields.map(\.name) ?? []) + ["Cookie"]
        guard sent.url == shown.url, response.signature?.value.account == signature?.account,
            Self.fields(of: sent.headers, except: names) == Self.fields(of: shown.headers, except: names)
        else { return nil }
        var known = shown
        for name in names { known.headers[name] = sent.headers[name] }
        if known.headers == shown.headers { return (shown.head, key) }
        if let signature {
            let fields = known.headers.fields.filter { field in
                signature.fields.contains { $0.name.isSameFieldName(as: field.name) }
            }
            known.signature = Boxed(Signature(account: signature.account, fields: fields))
        }
        return (known.head, await cache.key(for: known.head, plan.identity(of: known, cookies: cookies)))
    }

    /// Returns the fields that are the same unless the request was changed while it waited.
    private static func fields(of headers: HTTPHeaders, except names: [String]) -> [String] {
        // The cache and the transport add these.
        let added = ["if-none-match", "if-modified-since", "cache-control", "accept-encoding", "expect"]
        let names = Set(names.map { $0.lowercased() } + added)
        let fields = headers.fields.map { ($0.name.lowercased(), $0.value) }.filter { !names.contains($0.0) }
        return fields.map { $0.0 + ":" + $0.1 }.sorted()
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
    func isRefused(_ response: TransportResponse) -> Bool {
        settings.configuration.authenticator?.isRefusal(response) ?? false
    }
}
