/// Handlers that take content as a value.
///
/// The client's `decoder(for:)` decodes it on a background thread, once per handler and attempt, before success is
/// reported. If that fails, error handlers get `.decoding`. In a module with default MainActor isolation, write
/// `nonisolated` before the declaration of a type to decode: a conformance that is isolated to an actor can't be used on
/// a background thread.
///
/// The other parameters are those of `on(isolation:success:owner:fileID:line:)`.
extension SimpleRequest {
    /// Adds a success handler that receives the decoded content.
    ///
    /// `Data` and `String` take the content unchanged; an optional is nil if there is no content. For a download, take a
    /// `URL` to receive the file.
    @discardableResult public func on<Value: Decodable & _SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        success type: Value.Type,
        _ handler: @escaping (Value) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        on(isolation: actor, success: type, { value, _ in handler(value) }, owner: owner, fileID: fileID, line: line)
    }

    /// Adds a success handler that receives the decoded content and the response.
    @discardableResult public func on<Value: Decodable & _SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        success type: Value.Type,
        _ handler: @escaping (Value, SimpleResponse) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(.success, at: CallSite(fileID, line, isolation: actor, owner: owner)) {
            (source) throws(SimpleNetworkingError) in
            guard let value = try source.value(of: type) else { return nil }
            return .success { handler(value, $0) }
        }
    }

    /// Adds a handler for success that takes the content as a list of the type that its parameter names, such as
    /// `{ (users: [User]) in … }`.
    ///
    /// Write the type of any other value before the handler. A parameter of any type here would make the compiler take
    /// a misspelt member of a response for a value whose type is missing.
    @_disfavoredOverload @discardableResult public func on<Item: Decodable & _SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        success handler: @escaping ([Item]) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self { on(isolation: actor, success: [Item].self, handler, owner: owner, fileID: fileID, line: line) }

    /// Adds a handler for any outcome; it takes the content of a success as a value, or the error.
    ///
    /// It runs last, once per execution. If the content can't be decoded it gets `.decoding`, and so do error handlers.
    ///
    /// ```swift
    /// api.get("/user") { $0.on(completion: User.self, { result in show(result) }) }
    /// ```
    @discardableResult public func on<Value: Decodable & _SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        completion type: Value.Type,
        _ handler: @escaping (Result<Value, SimpleNetworkingError>) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(.completion, at: CallSite(fileID, line, isolation: actor, owner: owner)) {
            (source) throws(SimpleNetworkingError) in
            let value = try source.value(of: type)
            return .completion { outcome in
                switch outcome {
                case .failure(let error): handler(.failure(error))
                // A success was decoded before it became one.
                case .success: if let value { handler(.success(value)) }
                }
            }
        }
    }

    /// Adds a handler for any outcome other than success; it also takes the response's content as a value.
    ///
    /// The value can be an error object that the API defines, for example. It is nil if there was no response or its content
    /// couldn't be decoded.
    @discardableResult public func on<Value: Decodable & _SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        error type: Value.Type,
        _ handler: @escaping (SimpleNetworkingError, Value?, SimpleResponse?) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(.error, at: CallSite(fileID, line, isolation: actor, owner: owner)) { source in
            let value = try? source.value(of: type)
            return .error { handler($0, value, $1) }
        }
    }

    /// Decodes the content for an awaiting caller, before success is reported.
    ///
    /// The value is kept as `Any`, since Swift looks up a type that depends on another one at run time, several times.
    func decoding<Value: Decodable & _SendableMetatype>(_ type: Value.Type, into value: Locked<Any?>) -> Self {
        add(.success, at: CallSite()) { (source) throws(SimpleNetworkingError) in
            let decoded = try source.value(of: type)
            value.exchange(decoded)
            return nil
        }
    }
}

extension ValueSource {
    /// The content as a value; nil if there is no response.
    func value<Value: Decodable & _SendableMetatype>(of type: Value.Type) throws(SimpleNetworkingError) -> Value? {
        guard let response else { return nil }
        // The content of a success may have been saved to a file.
        if case .file(let file) = specification.destination, response.isSuccess, let file = file as? Value {
            return file
        }
        return try response.decode(type, using: decoder)
    }
}
