import SimpleNetworkingSupport

/// What a module may know of a request that it sends in a way of its own.
extension SimpleRequest {
    /// Returns a request with the same settings, and without handlers; this one need not be executed itself.
    package func withoutHandlers() -> SimpleRequest {
        let specification = state.withLock { requestState in
            requestState.isCopied = true
            return requestState.specification
        }
        return SimpleRequest(specification)
    }

    /// Where the content is delivered; nil if that is memory.
    package var destination: (any ResponseDestination)? {
        if case .other(let other) = specification.destination { other } else { nil }
    }

    /// The content; nil if it is made only when the request is executed.
    package var readyBody: RequestBody? {
        switch specification.body {
        case .none: RequestBody.none
        case .ready(let body, _, _, _): body
        case .encodable, .source, .failed: nil
        }
    }

    /// Whether the body may be sent in several requests.
    package var isSentInParts: Bool { specification.isSentInParts }

    /// The request's own redirect policy; nil if it has the client's.
    package var redirectPolicy: RedirectPolicy? { specification.redirectPolicy }
}
