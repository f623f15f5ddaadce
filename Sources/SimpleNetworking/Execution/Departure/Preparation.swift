/// Remembers how an attempt was prepared, so that this is done again if the client's settings have changed since.
///
/// What prepares it may have read them, and the attempt may have waited for its turn.
final class Preparation: Sendable {
    /// The request before and after it was prepared.
    fileprivate let (base, prepared): (TransportRequest, TransportRequest)
    private let settings: SimpleNetworking.Settings
    /// The generation of the client's credential that it may have read.
    let generation: CredentialGeneration

    init(
        of base: TransportRequest,
        as prepared: TransportRequest,
        _ settings: SimpleNetworking.Settings,
        _ mark: RefreshState.Mark
    ) {
        self.base = base
        self.prepared = prepared
        self.settings = settings
        generation = mark.generation
    }

    func isOutdated(_ settings: SimpleNetworking.Settings, _ mark: RefreshState.Mark) -> Bool {
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
        hasPreparation || !settings.configuration.middleware.isEmpty || !destination.isMemory
            || specification.uploadDraft != nil
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
    ///
    /// What was redirected was carried out, so it goes on.
    func withoutFormerUser(_ request: TransportRequest, for execution: Execution) -> TransportRequest {
        guard request.isRedirected, !request.isUntrusted, !execution.belongs(to: client.current.mark.account) else {
            return request
        }
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
        request.preparation = nil
        // What was redirected was carried out, and what continues an upload has fields of its own.
        guard !request.isRedirected, request.original == nil else { return request }
        let base = updated(former.base, with: settings)
        let prepared = try await prepare(base).request
        try Task.checkCancellation()
        request.headers.update(from: former.prepared.headers, to: prepared.headers)
        request.head.written = prepared.head.written
        request.method = prepared.method
        request.body = prepared.body
        request.timeout += prepared.timeout - former.prepared.timeout
        request.maxResponseSize = prepared.maxResponseSize
        _ = withhold(from: &request)
        request.preparation = Preparation(of: base, as: prepared, settings, mark)
        return request
    }
}
