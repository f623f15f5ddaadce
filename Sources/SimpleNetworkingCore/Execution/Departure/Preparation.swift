import SimpleNetworkingSupport

/// Remembers how an attempt was prepared, so that this is done again if the client's settings have changed since.
///
/// What prepares it may have read them, and the attempt may have waited for its turn.
final class Preparation: Sendable {
    /// The request before and after it was prepared; nil if it isn't prepared again.
    fileprivate let requests: (base: TransportRequest, prepared: TransportRequest)?
    private let settings: SimpleNetworking.Settings
    /// The generation of the client's credential that it may have read.
    let generation: CredentialGeneration

    init(
        of base: TransportRequest,
        as prepared: TransportRequest,
        _ settings: SimpleNetworking.Settings,
        _ mark: RefreshState.Mark
    ) {
        requests = (base, prepared)
        self.settings = settings
        generation = mark.generation
    }

    /// Remembers only what the preparation may have read, for a request that isn't prepared again.
    fileprivate init(last former: Preparation) {
        requests = nil
        (settings, generation) = (former.settings, former.generation)
    }

    func isOutdated(_ settings: SimpleNetworking.Settings, _ mark: RefreshState.Mark) -> Bool {
        if requests == nil { return false }
        // An authenticator signs the request later.
        let isSigned = settings.configuration.authenticator != nil
        return settings !== self.settings || !isSigned && mark.generation != generation
    }
}

extension RequestPlan {
    /// Whether user code prepares each attempt.
    var hasPreparation: Bool { hooked != nil || specification.configure != nil }

    /// Whether other work may take time before the request is sent, apart from what it waits for there.
    var mayTakeTime: Bool {
        hasPreparation || !middleware.isEmpty || !destination.isMemory
            || specification.isSentInParts
    }

    /// Returns the request with the client's current header fields in place of those with which it was built.
    ///
    /// What the request's own code has changed since stays.
    func updated(_ request: TransportRequest, with settings: SimpleNetworking.Settings) -> TransportRequest {
        let defaults = settings.configuration.defaultHeaders
        guard let former = request.defaults, former != defaults else { return request }
        let (old, new) = (merged(over: former), merged(over: defaults))
        var updated = request
        updated.defaults = defaults
        updated.headers.update(from: old, to: new)
        for name in settings.configuration.secretHeaders { updated.headers.markSecret(name) }
        _ = withhold(from: &updated)
        return updated
    }

    /// Returns the request without credentials if its user has signed out since the redirect that it follows.
    func withoutFormerUser(_ request: TransportRequest, for execution: Execution) -> TransportRequest {
        guard request.isRedirected, !request.isUntrusted, !execution.belongs(to: client.current.mark.account) else {
            return request
        }
        return withoutUser(request)
    }

    /// Returns the request without credentials, which it won't get again.
    func withoutUser(_ request: TransportRequest) -> TransportRequest {
        var request = request
        request.isUntrusted = true
        request.defaults = nil
        _ = request.headers.removePrivate(sharing)
        return request
    }

    /// Prepares a request again that was prepared before, and keeps what other code has changed since.
    func prepareAgain(
        _ request: TransportRequest,
        _ former: Preparation,
        _ settings: SimpleNetworking.Settings,
        _ mark: RefreshState.Mark
    ) async throws -> TransportRequest {
        var request = request
        // What was redirected was carried out.
        guard !request.isRedirected, let former = former.requests else {
            request.preparation = Preparation(last: former)
            return updated(request, with: settings)
        }
        let base = updated(former.base, with: settings)
        let prepared = try await prepare(base).request
        try Task.checkCancellation()
        request.headers.update(from: former.prepared.headers, to: prepared.headers)
        // What is sent in parts keeps the URL and the content that it began with.
        if !specification.isSentInParts { request.replace(former.prepared, by: prepared) }
        // Otherwise, a redirect would keep the fields of an earlier change.
        if request.defaults != nil { request.defaults = prepared.defaults }
        _ = withhold(from: &request)
        request.preparation = Preparation(of: base, as: prepared, settings, mark)
        return request
    }
}

extension TransportRequest {
    /// Whether the request goes on without its user, who has signed out: what was redirected was carried out.
    func continues(after error: any Error) -> Bool { error.isSignOut && isRedirected && !isUntrusted }

    /// Whether user code prepares the request again if the client's settings have changed since.
    var mayBePreparedAgain: Bool { (preparation as? Preparation)?.requests != nil }

    /// Takes over what was prepared anew, and keeps what other code, such as middleware, has changed since.
    fileprivate mutating func replace(_ former: TransportRequest, by new: TransportRequest) {
        if head.written == former.head.written { head.written = new.head.written }
        if method == former.method { method = new.method }
        if hasBody(of: former) { takeBody(of: new) }
        if timeout == former.timeout { timeout = new.timeout }
        if maxResponseSize == former.maxResponseSize { maxResponseSize = new.maxResponseSize }
    }
}
