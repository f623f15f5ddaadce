/// Decodes content for the handlers that take values.
extension Execution {
    /// The request, the client that made it, and its URL.
    fileprivate struct Origin {
        let request: Locked<SimpleRequest.State>
        let client: SimpleNetworking
        let url: URL?
    }

    /// Decodes the content for a handler that takes a value, on a background thread.
    func decode(_ index: Int, _ response: SimpleResponse?) -> Result<Handler?, SimpleNetworkingError> {
        let (handler, origin) = state.withLock { ($0.machine.queue.handlers[index], $0.origin) }
        return Result { () throws(SimpleNetworkingError) in try value(for: handler, response, origin) }
    }

    /// Decodes the content for a handler added after the end, or returns nil if there is nothing to run.
    func value(for handler: Handler, _ response: SimpleResponse?) throws(SimpleNetworkingError) -> Handler? {
        try value(for: handler, response, state.withLock { $0.origin })
    }

    private func value(
        for handler: Handler,
        _ response: SimpleResponse?,
        _ origin: Origin?
    ) throws(SimpleNetworkingError) -> Handler? {
        guard let origin, case .value(let decode) = handler.body else { return nil }
        let (specification, followUp) = origin.request.withLock { ($0.current, $0.followUp) }
        let source = ValueSource(
            response: response,
            decoder: decoder(of: origin),
            specification: specification,
            url: origin.url,
            client: origin.client,
            followUp: followUp
        )
        return try decode(source).map(handler.with)
    }

    /// Returns the decoder.
    ///
    /// Only a subclass needs a request object to choose its decoder.
    private func decoder(of origin: Origin) -> any ResponseDecoder {
        let client = origin.client
        return client.mayHaveHooks ? client.decoder(for: SimpleRequest(origin.request)) : client.settings.coders.decoder
    }
}

extension Execution.State {
    fileprivate var origin: Execution.Origin? {
        guard let request, let client else { return nil }
        return Execution.Origin(request: request, client: client, url: attempt.head?.url)
    }
}
