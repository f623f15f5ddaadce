/// Decoding content for the handlers that take values.
extension Execution {
    /// Decodes the content for a handler that takes a value, on a background thread.
    func decode(_ index: Int, _ response: SimpleResponse?) {
        let (handler, generation) = state.withLock { ($0.machine.queue.handlers[index], $0.machine.queue.generation) }
        let result = Result { () throws(SimpleNetworkingError) in try value(for: handler, response) }
        state.withLock { $0.machine.queue.setDecoded(result, at: index, generation: generation) }
    }

    func value(for handler: Handler, _ response: SimpleResponse?) throws(SimpleNetworkingError) -> Handler? {
        guard case .value(let decode) = handler.body,
            case (let said?, let client?, let head) = state.withLock({ ($0.request, $0.client, $0.head) })
        else { return nil }
        let (specification, pages) = said.withLock { ($0.current, $0.pages) }
        let source = ValueSource(
            response: response,
            decoder: client.decoder(for: SimpleRequest(said)),
            specification: specification,
            url: head?.url,
            pages: pages
        )
        return try decode(source).map(handler.with)
    }
}
