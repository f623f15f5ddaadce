import SimpleNetworkingSupport

/// Handlers that receive decoded content.
///
/// The client's `decoder(for:)` decodes the content on a background thread, before success is reported. Handlers of one
/// type that run on the same actor or queue share the value. If decoding fails, error handlers receive `.decoding`. In a
/// module with default `MainActor` isolation, declare the types to decode as `nonisolated`, because an actor-isolated
/// conformance can't be used on a background thread.
///
/// For the other parameters, see `on(isolation:success:owner:fileID:line:)`.
extension SimpleRequest {
    /// Unavailable: `send` waits for the response and decodes its value.
    @available(*, unavailable, message: "write try await api.send(Request<User>.get(…)).value, or use on(success:)")
    public var value: SimpleRequest { self }

    /// Adds a success handler that receives the decoded content.
    ///
    /// If the type is `Data` or `String`, the handler receives the content unchanged. If the type is an optional, the
    /// handler receives nil when there is no content. To receive a downloaded file, pass `URL.self`.
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

    /// Adds a success handler whose closure declares an array type, as in `{ (users: [User]) in … }`.
    ///
    /// For any type other than an array, pass the type before the handler. If this method accepted any type, the
    /// compiler would report a misspelled response member as a missing value type.
    @_disfavoredOverload @discardableResult public func on<Item: Decodable & _SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        success handler: @escaping ([Item]) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self { on(isolation: actor, success: [Item].self, handler, owner: owner, fileID: fileID, line: line) }

    /// Adds a completion handler that receives the decoded content of a successful response, or the error.
    ///
    /// The handler runs last, once per execution, regardless of the outcome. If the content can't be decoded, this
    /// handler and all error handlers receive `.decoding`.
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
                // The content was decoded before success was reported.
                case .success: if let value { handler(.success(value)) }
                }
            }
        }
    }

    /// Adds an error handler that also receives the response's decoded content.
    ///
    /// For example, the value can be an error object that the API defines. The value is nil if there was no response,
    /// or if the response's content couldn't be decoded, which the client's logger reports as a warning.
    @discardableResult public func on<Value: Decodable & _SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        error type: Value.Type,
        _ handler: @escaping (SimpleNetworkingError, Value?, SimpleResponse?) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(.error, at: CallSite(fileID, line, isolation: actor, owner: owner)) { source in
            // The content of a rejected download is in no file.
            let value = source.response?.content(as: type, using: source.decoder)
            return .error { handler($0, value, $1) }
        }
    }

    /// Decodes the content for an awaiting caller, before success is reported.
    ///
    /// The value is stored as `Any`, because Swift would look up a dependent generic type several times at run time.
    func decoding<Value: Decodable & _SendableMetatype>(_ type: Value.Type, into value: Locked<Any?>) -> Self {
        add(.success, at: CallSite()) { (source) throws(SimpleNetworkingError) in
            // The caller's value is its own.
            let decoded = try source.value(of: type, isShared: false)
            value.exchange(decoded)
            return nil
        }
    }
}

extension ValueSource {
    /// Returns the content as a value, or nil if there is no response.
    ///
    /// A shared value may be one that another handler in the same place receives.
    func value<Value: Decodable & _SendableMetatype>(
        of type: Value.Type,
        isShared: Bool = true
    ) throws(SimpleNetworkingError) -> Value? {
        guard let response else { return nil }
        let id = ObjectIdentifier(type)
        // Unwrapped first: a missing value would pass for an optional one that is nil.
        if isShared, let known = values?.withLock({ $0.first { $0.type == id } }), let value = known.value as? Value {
            return value
        }
        // The content may have been delivered, or what is there may be current.
        let isElsewhere = response.isDelivered || response.isSuccess
        if isElsewhere, let delivered = specification.destination.value, let value = delivered as? Value {
            return value
        }
        let value = try response.decode(type, using: decoder)
        if isShared { values?.withLock { $0 = [Handler.Decoded(type: id, value: value)] } }
        return value
    }
}
