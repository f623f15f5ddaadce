import SimpleNetworkingSupport

/// Follows redirects, without the header fields that the new origin must not see.
///
/// URLSession on Linux drops the content of a 307 and sends every credential to the redirect's target. With this code,
/// all engines behave the same.
extension RequestPlan {
    /// Sends a request through the stages below redirects, if there are any.
    @inline(__always)
    func followRedirects(
        of request: TransportRequest,
        for execution: Execution,
        _ next: Middleware.Next? = nil
    ) async throws -> TransportResponse {
        let start = now
        let response = try await pass(request, for: execution, next)
        guard (300...399).contains(response.httpStatus) else { return response }
        return try await follow(response, of: request, since: start, for: execution, next)
    }

    /// If this property were inlined, it would enlarge the stack frame that waits.
    @inline(never) private var now: TimeInterval { clock.now }

    @inline(__always)
    private func pass(
        _ request: TransportRequest,
        for execution: Execution,
        _ next: Middleware.Next?
    ) async throws -> TransportResponse {
        if let next { try await next(request) } else { try await transmit(request, for: execution) }
    }

    /// Sends what follows the first request, which was prepared long ago.
    private func passAgain(
        _ request: TransportRequest,
        for execution: Execution,
        _ next: Middleware.Next?
    ) async throws -> TransportResponse {
        if let next { return try await next(request) }
        let departure = DepartureStage(attempt: Attempt(plan: self, execution: execution))
        return try await departure.intercept(request) { [self] in try await transmit($0, for: execution) }
    }

    /// This is a separate function, so that requests without redirects don't need its stack frame.
    private func follow(
        _ redirect: TransportResponse,
        of request: TransportRequest,
        since start: TimeInterval,
        for execution: Execution,
        _ next: Middleware.Next?
    ) async throws -> TransportResponse {
        var response = redirect
        // It may have changed while it waited.
        var sent = redirect.change?.value.applied(to: request) ?? request
        var chain = RedirectChain(
            policy: redirectPolicy,
            head: sent.head,
            hasBody: !sent.body.isNone,
            trusted: trustedOrigins,
            sharing: sharing
        )
        while true {
            switch chain.next(status: response.httpStatus, headers: response.headers) {
            case .stop: return response
            case .refuse(let reason):
                let seen = seen(response, to: sent.head, attempt: execution.sentAttempt)
                throw SimpleNetworkingError.redirect(reason: reason, seen)
            case .follow(var step):
                if let change = specification.changeRedirect {
                    try self.change(&step, after: response, by: change)
                    chain.head = step.head
                }
                step.removedFields += withheldSignature(of: response, to: sent, at: step.head.url)
                self.redirect(&sent, by: step, status: response.httpStatus, for: execution)
                // What a former user's request has lost doesn't come back with the next redirect.
                chain.head.headers = sent.headers
                // All redirects share the attempt's timeout.
                sent.timeout = request.timeout - (clock.now - start - execution.waited)
                let expired = SimpleNetworkingError.timedOut(.attempt(request.timeout), sent.head)
                guard sent.timeout > 0 else { throw expired }
                do {
                    response = try await passAgain(sent, for: execution, next)
                    response.isRedirected = true
                    if let change = response.change?.value {
                        sent = change.applied(to: sent)
                        chain.head = sent.head
                    }
                } catch SimpleNetworkingError.timedOut(.attempt, _) { throw expired }
            }
        }
    }

    /// Inlined, it would be compiled again for each place where the loop waits.
    @inline(never)
    private func redirect(
        _ request: inout TransportRequest,
        by step: RedirectChain.Step,
        status: Int,
        for execution: Execution
    ) {
        execution.record(.redirected(status: status, to: step.head.url, removedFields: step.removedFields))
        execution.noteRedirect()
        // An origin that isn't trusted chooses the next URL.
        let isUntrusted = !isTrusted(request.url) || !isTrusted(step.head.url)
        request.head = step.head
        request.isRedirected = true
        if isUntrusted {
            request.isUntrusted = true
            request.defaults = nil
        }
        request = withoutFormerUser(request, for: execution)
        if !step.keepsBody { request.body = .none }
    }

    /// Returns the names of the fields with which the request was signed, and which its redirect won't have.
    private func withheldSignature(
        of response: TransportResponse,
        to request: TransportRequest,
        at url: URL
    ) -> [String] {
        guard !request.isUntrusted, !isTrusted(url), let sent = response.request else { return [] }
        let added = sent.headers.fields.filter { $0.isSecret && !request.headers.contains($0.name) }
        return added.filter { !sharing.isShared($0) && !$0.name.isSameFieldName(as: "Cookie") }.map(\.name)
    }

    /// Lets a user's code change a redirect, but not send credentials to an untrusted origin.
    private func change(
        _ step: inout RedirectChain.Step,
        after response: TransportResponse,
        by change: (inout RequestHead, TransportResponse) throws -> Void
    ) throws {
        let former = step.head
        try change(&step.head, response)
        try step.head.validate()
        guard !isTrusted(step.head.url) else { return }
        let chosen = step.head.headers.fields.filter { !former.headers.values(for: $0.name).contains($0.value) }
        step.removedFields += step.head.headers.removePrivate(sharing)
        // What it has set itself, it wants to send.
        for field in chosen where !step.head.headers.values(for: field.name).contains(field.value) {
            step.head.headers.append(field.name, field.value)
            step.removedFields.removeAll { $0.isSameFieldName(as: field.name) }
        }
    }
}
