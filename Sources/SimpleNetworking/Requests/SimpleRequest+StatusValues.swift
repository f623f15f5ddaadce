/// Status handlers that take content as a value.
extension SimpleRequest {
    /// Adds a handler for responses of one status that takes the content as a value, before success or error is decided.
    ///
    /// It runs where it was written.
    ///
    /// - Parameters:
    ///   - actor: Where the handler runs. The default is the actor whose code calls this; nil means the callback queue.
    ///   - status: The status code, 200...599.
    ///   - type: The type to decode.
    ///   - handler: Returns true to let the next handler go on, or false to take the request over. It is not called
    ///     when the content cannot be decoded; the request then ends with `.decoding`.
    ///   - owner: An object that the handler is bound to: it is left out when that is gone. The default is none.
    ///   - fileID: Where the handler was written, for the trace.
    ///   - line: Where the handler was written, for the trace.
    /// - Returns: The request.
    @discardableResult
    public func on<Value: Decodable & SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        httpStatus status: Int,
        decoding type: Value.Type,
        _ handler: @escaping (Value, SimpleRequest, SimpleResponse) -> Bool,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        on(
            isolation: actor,
            httpStatus: HTTPStatuses(status...status),
            decoding: type,
            handler,
            owner: owner,
            fileID: fileID,
            line: line
        )
    }

    /// Adds a handler for responses of any of several statuses that takes the content as a value: a list such as
    /// `[409, 422]`, a range such as `500...599`.
    ///
    /// It runs where it was written.
    @discardableResult
    public func on<Value: Decodable & SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        httpStatus statuses: some Sequence<Int>,
        decoding type: Value.Type,
        _ handler: @escaping (Value, SimpleRequest, SimpleResponse) -> Bool,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        on(
            isolation: actor,
            httpStatus: HTTPStatuses(statuses),
            decoding: type,
            handler,
            owner: owner,
            fileID: fileID,
            line: line
        )
    }

    /// Adds a handler for responses of a named class of statuses, such as `.clientError`, that takes the content as a value.
    ///
    /// It runs where it was written.
    @discardableResult
    public func on<Value: Decodable & SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        httpStatus statuses: HTTPStatuses,
        decoding type: Value.Type,
        _ handler: @escaping (Value, SimpleRequest, SimpleResponse) -> Bool,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        let handler = Isolated(
            actor: actor,
            fileID: fileID,
            line: line,
            owner: owner.map(Owner.init),
            body: handler
        )
        return add(
            value: .status(statuses),
            handler
        ) { (response, decoder) throws(SimpleNetworkingError) in
            guard let response else { return nil }
            let value = try response.decode(type, using: decoder)
            return .status(statuses, handler.with { handler.body(value, $0, $1) })
        }
    }
}
