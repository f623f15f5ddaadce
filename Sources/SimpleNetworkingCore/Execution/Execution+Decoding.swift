import SimpleNetworkingSupport

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
        let (handler, origin, place, values) = state.withLock { state in
            let handlers = state.machine.queue.handlers
            let isAlone = handlers.count { $0.takesValue } == 1
            let place = isAlone ? nil : state.place(of: index)
            return (handlers[index], state.origin, place, place.map { state.values(in: $0) })
        }
        return Result { () throws(SimpleNetworkingError) in try value(for: handler, response, origin, values, place) }
    }

    /// Decodes the content for a handler added after the end, or returns nil if there is nothing to run.
    func value(for handler: Handler, _ response: SimpleResponse?) throws(SimpleNetworkingError) -> Handler? {
        try value(for: handler, response, state.withLock { $0.origin })
    }

    private func value(
        for handler: Handler,
        _ response: SimpleResponse?,
        _ origin: Origin?,
        _ values: [Handler.Decoded]? = nil,
        _ place: HandlerPlace? = nil
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
        guard let body = try decode(source) else { return nil }
        var decoded = source.values?.withLock(\.last)
        // A handler may change the queue of those after it.
        decoded?.place = place
        return handler.with(body, decoded)
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
    fileprivate func values(in place: HandlerPlace) -> [Handler.Decoded] {
        machine.queue.values.values.compactMap { result in
            guard case .success(let handler?) = result, handler.decoded?.place == place else { return nil }
            return handler.decoded
        }
    }

    fileprivate var origin: Execution.Origin? {
        guard let request, let client else { return nil }
        return Execution.Origin(request: request, client: client, url: attempt.head?.url)
    }
}
