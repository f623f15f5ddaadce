import SimpleNetworking
import Synchronization

extension NationBuilder {
    /// Takes the value of a call, or its error.
    public typealias Completion<Value> = (Result<NationResponse<Value>, SimpleNetworkingError>) -> Void

    /// Calls an endpoint.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint, such as `.people()`.
    ///   - page: The page of a list. The default is nil: the first, with the server's own settings.
    ///   - actor: Where the completion runs. The default is the actor whose code calls this.
    ///   - completion: Takes the value, or why there is none; runs once, or not at all if the delegate stops the call.
    /// - Returns: The request, which can be cancelled; and executed, if the delegate has held it back.
    @discardableResult
    public func call<Value>(
        _ endpoint: NationEndpoint<Value>,
        page: NationPagination? = nil,
        isolation actor: (any Actor)? = #isolation,
        _ completion: @escaping Completion<Value>
    ) -> SimpleRequest {
        let request = request(for: endpoint, page: page)
            .on(
                isolation: actor,
                success: ReadableResults<Value>?.self,
                { [weak self] results, response in
                    completion(.success(NationResponse(results, pagination: self?.next(response, page), response)))
                }
            )
            .on(isolation: actor, error: { error in completion(.failure(error)) })
        guard delegate?.nation(self, shouldStart: request) ?? true else { return request }
        return request.execute(on: self)
    }

    /// Calls an endpoint, and waits for its response; the delegate can't hold it back.
    @discardableResult
    public func call<Value>(
        _ endpoint: NationEndpoint<Value>,
        page: NationPagination? = nil
    ) async throws -> NationResponse<Value> {
        let request = request(for: endpoint, page: page)
        let response = try await send(request)
        let results = try response.decode(ReadableResults<Value>?.self, using: decoder(for: request))
        return NationResponse(results, pagination: next(response, page), response)
    }

    /// Makes the request of a call, without sending it.
    public func request<Value>(for endpoint: NationEndpoint<Value>, page: NationPagination? = nil) -> SimpleRequest {
        let settings = settings.withLock { $0 }
        var page = page
        page?.isLegacy = settings.usesLegacyPagination
        var query = page?.query ?? [:]
        if let page, !page.isLegacy, settings.usesTokenPagination {
            query = query.replacing(with: ["token_paginator": 1])
        }
        let request = SimpleNetworking.request(endpoint.method, path: endpoint.path)
        request.query(query.replacing(with: endpoint.query))
        if let body = endpoint.body { request.body(json: body, encoder: .nation) }
        if let key = endpoint.resultsKey { request.tag(ResultsDecoder.tag, key) }
        return request
    }

    private func next(_ response: SimpleResponse, _ page: NationPagination?) -> NationPagination? {
        NationPagination(response, after: page, isLegacy: usesLegacyPagination)
    }
}
