/// Signs each attempt, and has the credential renewed, once for all, when an attempt is refused.
struct AuthenticationStage: Middleware {
    let guarding: Guard
    let plan: RequestPlan
    let log: EventLog

    /// What the stage needs of the client.
    struct Guard: Sendable {
        let authenticator: any Authenticator
        let flight: SingleFlight
        /// Seconds that a renewal may take.
        let limit: TimeInterval
        /// Whether an attempt waits for a renewal that runs.
        let waits: Bool
        /// Says whether the request belongs to this account; its first attempt decides.
        let belongs: @Sendable (Int) -> Bool
    }

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        // The renewal's own requests must neither wait for it nor show what was refused.
        guard !SingleFlight.isRenewing, plan.isTrusted(request.url) else { return try await next(request) }
        return try await send(request, as: guarding.authenticator, next)
    }

    private func send<Scheme: Authenticator>(
        _ request: TransportRequest,
        as authenticator: Scheme,
        _ next: Next
    ) async throws -> TransportResponse {
        var refusal: SimpleResponse?
        var isFresh = false
        var repeats = 0
        if guarding.waits, guarding.flight.isRenewing {
            // A renewal for somebody who has left since then ends here, and is waited for by nobody.
            let credential = try await orFail(request, nil) { try await authenticator.credential() }
            _ = guarding.flight.note(credential.map(authenticator.identity))
            if let renewal = guarding.flight.join() {
                log.record(.renewal(.joined))
                try await orFail(request, nil) { _ = try await renewal.value() }
            }
        }
        while true {
            // Read before the credential: a renewal between the two only costs one attempt more.
            let stamp = guarding.flight.stamp(isNew: refusal == nil)
            let credential = try await orFail(request, refusal) { try await authenticator.credential() }
            let account = guarding.flight.note(credential.map(authenticator.identity))
            guard guarding.belongs(account), credential != nil || refusal == nil else {
                throw failure(RenewalFailure.signedOut, request, refusal)
            }
            guard let credential else { return try await next(request) }
            if !isFresh, authenticator.isExpired(credential) {
                try await renew(credential, authenticator, stamp, request, refusal)
                isFresh = true
                continue
            }
            let response = try await next(request.signed(with: credential, authenticator, isCached: plan.cache != nil))
            // Refused though it is fresh: that is the server's last word.
            guard authenticator.isRefusal(response), !isFresh, repeats < 3 else { return response }
            refusal = plan.seen(response, log)
            repeats += 1
            if try await orFail(request, refusal, { try await authenticator.credential() }) == credential {
                try await renew(credential, authenticator, stamp, request, refusal)
                isFresh = true
            } else {
                log.record(.renewal(.outdated))
            }
        }
    }

    private func renew<Scheme: Authenticator>(
        _ credential: Scheme.Credential,
        _ authenticator: Scheme,
        _ stamp: Int,
        _ request: TransportRequest,
        _ refusal: SimpleResponse?
    ) async throws {
        let race = Race<Int>()
        let step = guarding.flight.recover(
            from: stamp,
            clock: plan.clock,
            limit: guarding.limit,
            waiter: { race.finish($0) },
            renew: { done in
                // A task of its own: though whoever waits is cancelled, the new credential must not be lost.
                Task {
                    do {
                        _ = try await authenticator.renew(credential)
                        done()
                    } catch {
                        done(error)
                    }
                }
            }
        )
        log.record(.renewal(step))
        try await orFail(request, refusal) { _ = try await race.value() }
    }

    /// Whatever goes wrong about a credential ends in one kind of error; only whoever is cancelled hears of that.
    private func orFail<Value>(
        _ request: TransportRequest,
        _ refusal: SimpleResponse?,
        _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch {
            try Task.checkCancellation()
            throw failure(error, request, refusal)
        }
    }

    private func failure(
        _ error: any Error,
        _ request: TransportRequest,
        _ refusal: SimpleResponse?
    ) -> SimpleNetworkingError {
        .authentication(.init(renewal: error, request: refusal?.request ?? request.head, response: refusal))
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
        for name in signed.headers.names where signed.headers[name] != headers[name] {
            signed.headers.markSecret(name)
        }
        if isCached, let account = authenticator.cacheIdentity(of: credential) {
            let fields = signed.headers.fields.filter { field in
                field.isSecret && headers[field.name] != signed.headers[field.name]
            }
            signed.signature = Boxed(Signature(account: "\(Scheme.self) \(account)", fields: fields))
        }
        return signed
    }
}
