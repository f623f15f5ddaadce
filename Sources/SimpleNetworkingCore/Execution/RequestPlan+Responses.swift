import SimpleNetworkingSupport

/// Decides what responses and errors mean.
extension RequestPlan {
    /// The statuses whose content is delivered to a file or a reader as it arrives.
    ///
    /// A subclass decides only later what is acceptable, and the receiver of content with no foreseeable end by the head.
    var streamedStatuses: HTTPStatuses {
        let decidesLater = hooked != nil || destination.openEnd != nil
        return decidesLater ? .successful : acceptableStatuses.intersection(.successful)
    }

    /// Returns the response as handlers see it.
    func seen(_ response: TransportResponse, to head: RequestHead, attempt: Int) -> SimpleResponse {
        var response = response
        response.change = nil
        return SimpleResponse(
            request: response.request ?? head,
            parts: response.parts,
            attempt: attempt,
            acceptableStatuses: acceptableStatuses,
            decoding: decoding
        )
    }

    /// How the response decodes its content, also after the end of its request.
    private var decoding: ResponseDecoding {
        guard hooked != nil else { return settings.decoding }
        var decoding = settings.decoding
        // A response retains neither its client nor the content that was sent.
        var specification = specification
        specification.body = .none
        specification.destination = .memory
        specification.configure = nil
        specification.changeRedirect = nil
        specification.middleware = []
        specification.callbackQueue = nil
        decoding.choose = { [weak client, specification] in client?.decoder(for: SimpleRequest(specification)) }
        return decoding
    }

    /// Returns the result that a response means.
    ///
    /// By default, the acceptable statuses and types decide the result.
    func result(of response: TransportResponse, to head: RequestHead, attempt: Int) -> AttemptResult {
        let response = seen(response, to: head, attempt: attempt)
        let types = specification.acceptableTypes
        guard hooked != nil else { return .response(response, response.error ?? response.refusal(by: types)) }
        do {
            try client.validate(response)
            return .response(response, response.refusal(by: types))
        } catch { return .response(response, SimpleNetworkingError(error, head: response.request, response: response)) }
    }

    /// Returns whether the client's subclass rejects a response, whatever its status, so that nothing of it is kept.
    func isRejected(_ result: AttemptResult) -> Bool {
        guard hooked != nil, case .response(let response, _?) = result else { return false }
        return response.error == nil && response.refusal(by: specification.acceptableTypes) == nil
    }

    /// Returns whether the client's hook requests another attempt.
    func shouldRetry(_ error: SimpleNetworkingError, attempt: Int) async throws -> Bool {
        guard let hooked else { return false }
        let mayRetry = try await client.shouldRetry(hooked, error: error, attempt: attempt)
        // User code may not have noticed the cancellation.
        try Task.checkCancellation()
        return mayRetry
    }
}
