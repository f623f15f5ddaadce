/// Signs each attempt, and refreshes a refused credential, once for all requests.
struct AuthenticationStage<Scheme: Authenticator>: Middleware {
    let authenticator: Scheme
    let plan: RequestPlan
    let execution: Execution

    private var flight: SimpleNetworking.SingleFlight { plan.client.flight }

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        // The refresh's own requests must neither wait for it nor send the refused credential.
        guard !flight.isOwn, plan.isTrusted(request.url) else { return try await next(request) }
        var (refusal, isFresh, repeats): (SimpleResponse?, Bool, Int) = (nil, false, 0)
        if plan.settings.configuration.waitsForRefresh, flight.isRefreshing {
            // A refresh for an account that has signed out since then ends here, and nothing waits for it.
            let (_, ticket) = flight.stamp(isNew: false)
            let credential = try await orFail(request, nil) { try await authenticator.credential() }
            _ = flight.note(credential.map(authenticator.identity), ticket: ticket)
            if let refresh = flight.join() {
                execution.record(.refresh(.joined))
                try await orFail(request, nil) { _ = try await refresh.value() }
            }
        }
        while true {
            // Read before the credential: a refresh between the two only costs one more attempt.
            let (stamp, ticket) = flight.stamp(isNew: refusal == nil)
            let credential = try await orFail(request, refusal) { try await authenticator.credential() }
            try Task.checkCancellation()
            let account = flight.note(credential.map(authenticator.identity), ticket: ticket)
            guard let account, execution.belongs(to: account), credential != nil || refusal == nil else {
                throw SimpleNetworkingError.authentication(RefreshFailure.signedOut, request.head, refusal)
            }
            guard let credential else { return try await next(request) }
            if !isFresh, authenticator.isExpired(credential) {
                try await orFail(request, refusal) { _ = try await refresh(credential, from: stamp).value() }
                isFresh = true
                continue
            }
            let isCached = plan.settings.configuration.cache != nil
            let response = try await next(request.signed(with: credential, authenticator, isCached: isCached))
            // Refused even though it is fresh, or by an origin that was redirected to: the response is final.
            guard authenticator.isRefusal(response), !isFresh, repeats < 3,
                plan.isTrusted(response.request?.url ?? request.url)
            else { return response }
            refusal = plan.seen(response, to: request.head, attempt: execution.sentAttempt)
            repeats += 1
            if try await orFail(request, refusal, { try await authenticator.credential() }) == credential {
                try await orFail(request, refusal) { _ = try await refresh(credential, from: stamp).value() }
                isFresh = true
            } else {
                execution.record(.refresh(.superseded))
            }
        }
    }

    /// Refreshes a credential unless another request does; returns what ends with the refresh.
    private func refresh(_ credential: Scheme.Credential, from stamp: Int) -> Race<Int> {
        let race = Race<Int>()
        let step = flight.recover(
            from: stamp,
            clock: plan.clock,
            limit: plan.settings.configuration.refreshTimeout,
            waiter: { race.finish($0) },
            refresh: { $0.refresh(on: plan.scheduler) { _ = try await authenticator.refresh(credential) } }
        )
        execution.record(.refresh(step))
        return race
    }

    /// Every failure about a credential becomes `.authentication`, except a cancellation.
    private func orFail<Value>(
        _ request: TransportRequest,
        _ refusal: SimpleResponse?,
        _ work: () async throws -> Value
    ) async throws -> Value {
        do { return try await work() } catch {
            try Task.checkCancellation()
            throw SimpleNetworkingError.authentication(error, request.head, refusal)
        }
    }
}

extension TransportRequest {
    /// The same request with a credential; the header fields that carry it are secret.
    func signed<Scheme: Authenticator>(
        with credential: Scheme.Credential,
        _ authenticator: Scheme,
        isCached: Bool = false
    ) -> TransportRequest {
        var signed = self
        authenticator.sign(&signed, with: credential)
        for name in signed.headers.names where signed.headers[name] != headers[name] { signed.headers.markSecret(name) }
        if isCached, let account = authenticator.cacheIdentity(of: credential) {
            let fields = signed.headers.fields.filter { $0.isSecret && headers[$0.name] != signed.headers[$0.name] }
            signed.signature = Boxed(Signature(account: "\(Scheme.self) \(account)", fields: fields))
        }
        return signed
    }

    /// The same request with the authenticator's credential, if it has one.
    func signed(by authenticator: some Authenticator) async throws -> TransportRequest {
        guard let credential = try await authenticator.credential() else { return self }
        return signed(with: credential, authenticator)
    }
}
