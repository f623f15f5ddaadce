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
        let (handler, origin, values) = state.withLock {
            ($0.machine.queue.handlers[index], $0.origin, $0.values(inPlaceOf: index))
        }
        return Result { () throws(SimpleNetworkingError) in try value(for: handler, response, origin, values) }
    }

    /// Decodes the content for a handler added after the end, or returns nil if there is nothing to run.
    func value(for handler: Handler, _ response: SimpleResponse?) throws(SimpleNetworkingError) -> Handler? {
        try value(for: handler, response, state.withLock { $0.origin })
    }

    private func value(
        for handler: Handler,
        _ response: SimpleResponse?,
        _ origin: Origin?,
        _ values: [Handler.Decoded] = []
    ) throws(SimpleNetworkingError) -> Handler? {
        guard let origin, case .value(let decode) = handler.body else { return nil }
        let (specification, followUp) = origin.request.withLock { ($0.current, $0.followUp) }
        let source = ValueSource(
            response: response,
            decoder: decoder(of: origin),
            specification: specification,
            url: origin.url,
            client: origin.client,
            followUp: followUp,
            values: values
        )
        return try decode(source).map { handler.with($0, source.values.withLock(\.last)) }
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
    /// Returns the values of handlers that run where a handler runs; only there, a value need not be Sendable.
    fileprivate func values(inPlaceOf index: Int) -> [Handler.Decoded] {
        machine.queue.values.compactMap { other, result in
            guard case .success(let handler?) = result, place(of: other) == place(of: index) else { return nil }
            return handler.decoded
        }
    }

    fileprivate var origin: Execution.Origin? {
        guard let request, let client else { return nil }
        return Execution.Origin(request: request, client: client, url: attempt.head?.url)
    }
}
