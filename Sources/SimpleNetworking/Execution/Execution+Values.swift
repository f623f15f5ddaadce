/// Decoding content for the handlers that take values, on a background thread.
extension Execution {
    func decode(_ index: Int, _ response: SimpleResponse?) {
        let (handler, generation) = state.withLock { ($0.machine.queue.handlers[index], $0.machine.queue.generation) }
        let result = Result { () throws(SimpleNetworkingError) in try value(for: handler, response) }
        state.withLock { $0.machine.queue.setDecoded(result, at: index, generation: generation) }
    }

    func value(
        for handler: Handler,
        _ response: SimpleResponse?
    ) throws(SimpleNetworkingError) -> Handler? {
        guard case .value(let decode) = handler.body,
            case (let said?, let client?, let head) = state.withLock({ ($0.request, $0.client, $0.head) })
        else { return nil }
        let (specification, pages) = said.withLock { ($0.current, $0.pages) }
        let decoder = client.decoder(for: SimpleRequest(said))
        let source = ValueSource(
            response: response,
            decoder: decoder,
            specification: specification,
            url: head?.url,
            pages: pages
        )
        return try decode(source).map(handler.with)
    }

    /// Adds a handler to those of the request; returns whether it is to be told of an end that was told before.
    func add(_ handler: Handler, to request: Locked<SimpleRequest.State>, on client: SimpleNetworking?) -> Bool {
        state.withLock { state in
            guard state.machine.add(handler) else { return false }
            (state.request, state.client) = (request, client)
            return true
        }
    }
}
