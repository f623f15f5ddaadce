/// Handlers that take content as a value.
///
/// It is decoded with the client's `decoder(for:)`, once per handler and attempt, off the callback queue. Content that
/// cannot be decoded is no success: the error handlers then get `.decoding`. A type whose conformance to `Decodable` belongs
/// to an actor cannot be decoded there: in a module whose code is the main actor's by default, write `nonisolated` before
/// its declaration.
extension SimpleRequest {
    /// Adds a handler for success that takes the content as a value.
    ///
    /// It runs where it was written.
    ///
    /// - Parameters:
    ///   - actor: Where the handler runs. The default is the actor whose code calls this; nil means the callback queue.
    ///   - type: The type to decode. `Data` and `String` take the content as it is; an optional is nil for no content.
    ///   - handler: Takes the value.
    ///   - owner: An object that the handler is bound to: it is left out when that is gone. The default is none.
    ///   - fileID: Where the handler was written, for the trace.
    ///   - line: Where the handler was written, for the trace.
    /// - Returns: The request.
    @discardableResult
    public func on<Value: Decodable & SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        success type: Value.Type,
        _ handler: @escaping (Value) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        on(isolation: actor, success: type, { value, _ in handler(value) }, owner: owner, fileID: fileID, line: line)
    }

    /// Adds a handler for success that takes the content as a value, and the response.
    ///
    /// It runs where it was written.
    @discardableResult
    public func on<Value: Decodable & SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        success type: Value.Type,
        _ handler: @escaping (Value, SimpleResponse) -> Void,
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
            value: .success,
            handler
        ) { (response, decoder) throws(SimpleNetworkingError) in
            guard let response else { return nil }
            let value = try response.decode(type, using: decoder)
            return .success(handler.with { handler.body(value, $0) })
        }
    }

    /// Adds a handler for success that takes the content as a value of the type that its parameter names.
    ///
    /// It runs where it was written.
    @_disfavoredOverload
    @discardableResult
    public func on<Value: Decodable & SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        success handler: @escaping (Value) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        on(isolation: actor, success: Value.self, handler, owner: owner, fileID: fileID, line: line)
    }

    /// Adds a handler for any end that takes the content of a success as a value, or the error.
    ///
    /// It runs last, once per execution, where it was written. What cannot be decoded is no success: it then gets
    /// `.decoding`, and so do the error handlers.
    ///
    /// ```swift
    /// api.get("/user") { $0.on(completion: User.self, { result in show(result) }) }
    /// ```
    @discardableResult
    public func on<Value: Decodable & SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        completion type: Value.Type,
        _ handler: @escaping (Result<Value, SimpleNetworkingError>) -> Void,
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
            value: .completion,
            handler
        ) { (response, decoder) throws(SimpleNetworkingError) in
            let value = try response?.decode(type, using: decoder)
            return .completion(
                handler.with { outcome in
                    switch outcome {
                    case .failure(let error): handler.body(.failure(error))
                    // A success has been decoded before it became one.
                    case .success: if let value { handler.body(.success(value)) }
                    }
                }
            )
        }
    }

    /// Adds a handler for any end that is not a success; it also takes the response's content as a value, such as a
    /// problem that the API describes, or nil if no response came or its content is something else.
    ///
    /// It runs where it was written.
    @discardableResult
    public func on<Value: Decodable & SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        error type: Value.Type,
        _ handler: @escaping (SimpleNetworkingError, Value?, SimpleResponse?) -> Void,
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
        return add(value: .error, handler) { response, decoder in
            let value = try? response?.decode(type, using: decoder)
            return .error(handler.with { handler.body($0, value, $1) })
        }
    }

    func add<Body>(
        value use: ValueHandler.Use,
        _ handler: Isolated<Body>,
        decode:
            @escaping @Sendable (SimpleResponse?, any ResponseDecoder) throws(SimpleNetworkingError) -> RequestHandler?
    ) -> Self {
        add(
            .value(
                ValueHandler(use: use, site: handler.with(())) { (source) throws(SimpleNetworkingError) in
                    try decode(source.response, source.decoder)
                }
            )
        )
    }
}
