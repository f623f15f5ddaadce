import SimpleNetworkingSupport

/// Sends a request when nothing holds it back any more, with the facts of that moment.
///
/// This is the last stage above the transport: whatever a request waits for, it waits here or further up. Therefore, it
/// carries the credential, the client's header fields and the data of features of the moment when it is sent, and isn't
/// sent if its user has signed out meanwhile.
struct DepartureStage: Middleware {
    let attempt: Attempt

    var plan: RequestPlan { attempt.plan }
    var execution: Execution { attempt.execution }
    var signer: (any RequestSigner)? { attempt.signer }

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        var request = request
        while true {
            let start = plan.clock.now
            let departure = try await admit(request)
            let now = plan.clock.now
            // A duplicate waits while the first request is under way.
            if now > start, !request.isDuplicate { execution.noteWait(now - start) }
            request.shared?.noteTurn(departure.request)
            request.onDeparture?(SentRequest(signed: departure.request, url: departure.url))
            var response = try await send(departure, next)
            response.change = departure.change
            guard response.httpStatus == 417, request.hasExpectation else { return response }
            // The server refused it, so the content is sent at once (RFC 9110 §10.1.1).
            request.headers["Expect"] = nil
            execution.record(.resent(.expectationFailed))
        }
    }

    /// A request that nothing holds back any more.
    struct Departure {
        let request: TransportRequest
        /// Its URL, which a signature may have changed.
        let url: URL
        /// Its turn, if a feature gives turns.
        let turn: (any RequestTurn)?
        /// What reads the head of the response.
        let reactions: [HeadReaction]
        /// How the request has changed while it waited; nil if it hasn't.
        let change: Boxed<RequestChange>?
    }

    // MARK: Sending

    private func send(_ departure: Departure, _ next: Next) async throws -> TransportResponse {
        // A transport may keep the request, which must not keep what belongs to the client.
        var request = departure.request.forTransport
        let head = receiver(for: departure)
        request.onFailedHead = { [weak execution, isPart = request.original != nil] status, headers in
            execution?.noteFailedHead(status, headers, isPart: isPart)
            head.receive(status, headers)
        }
        let urls = urlsToChange(by: departure)
        let change = urls.isEmpty ? nil : attempt.changeReaction
        if case .stream(let receive) = request.sink {
            request.sink = .stream { part in
                if case .head(let status, let headers) = part, head.receive(status, headers) {
                    await change?(urls, status, headers)
                }
                try await receive(part)
            }
        }
        do {
            var response = try await next(request)
            if head.receive(response.httpStatus, response.headers, isComplete: true) {
                await change?(urls, response.httpStatus, response.headers)
            }
            response.note(departure.request)
            return response
        } catch let refused as ContentDelivery.Refused {
            head.receive(refused.response.httpStatus, refused.response.headers, isComplete: true)
            throw refused
        } catch let refusal as any UnsentError {
            departure.turn?.giveBack()
            throw refusal
        } catch {
            head.fail()
            if let head = execution.failedHead { await change?(urls, head.httpStatus, head.headers) }
            throw error
        }
    }

    /// Returns the URLs whose content a request changes if the server carries it out.
    ///
    /// A part of an upload changes what the whole is sent to.
    private func urlsToChange(by departure: Departure) -> [URL] {
        let sent = departure.request
        if HTTPMethod.safe.contains(sent.method) { return [] }
        return [sent.url] + [departure.url, sent.original?.url].compactMap { $0 == sent.url ? nil : $0 }
    }

    func receiver(for departure: Departure) -> HeadReceiver {
        // The reader of a stream may itself send requests, or never reach the end.
        let leavesAtHead = !departure.request.sink.isMemory && !plan.destination.isStore
        return HeadReceiver(
            reactions: departure.reactions,
            acceptance: acceptance(of: departure.request),
            turn: departure.turn,
            leavesAtHead: leavesAtHead
        )
    }

    /// Returns what learns from a head that the request's credential is accepted, because its content may never end.
    private func acceptance(of request: TransportRequest) -> HeadReaction? {
        guard plan.isTrusted(request.url), !request.isUntrusted else { return nil }
        if let signer { return signer.acceptance(of: request) }
        guard execution.awaitsAcceptance else { return nil }
        return { [weak execution] _, _ in execution?.update { $0.noteAcceptance(isOfHead: true) } }
    }
}
