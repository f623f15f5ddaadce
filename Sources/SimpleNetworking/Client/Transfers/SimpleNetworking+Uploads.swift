extension SimpleNetworking {
    /// Uploads a file as the content of a typed request, in place of its own, and waits for the value of the answer.
    ///
    /// The file is read while it is sent, and once more for each further attempt. Without a `Content-Type` of the
    /// request's own it is sent as `application/octet-stream`. For how long it may take see `download(for:to:)`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - file: The file.
    ///   - configure: Changes each attempt last of all; what it throws ends the request. The default changes nothing.
    ///   - fileID: Where the request is made, for the log.
    ///   - line: Where the request is made, for the log.
    /// - Returns: The value and the answer.
    /// - Throws: `SimpleNetworkingError`; a file that cannot be read is `.networkingError` with `.unreadableBody`.
    ///   `CancellationError` when the task was cancelled.
    @discardableResult
    nonisolated public func upload<Value: Decodable & SendableMetatype>(
        for request: Request<Value>,
        fromFile file: URL,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> sending Response<Value> {
        let upload = SimpleRequest(request, fileID: fileID, line: line).body(file: file, contentType: .octetStream)
        return try await value(of: upload.configured(by: configure))
    }

    /// Uploads a file where nobody wants the answer's content; see the method for values.
    @discardableResult
    nonisolated public func upload(
        for request: Request<Void>,
        fromFile file: URL,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Response<Void> {
        let upload = SimpleRequest(request, fileID: fileID, line: line).body(file: file, contentType: .octetStream)
        return Response(value: (), response: try await send(upload.configured(by: configure)))
    }

    /// Uploads bytes as the content of a typed request, in place of its own; see the method for files.
    @discardableResult
    nonisolated public func upload<Value: Decodable & SendableMetatype>(
        for request: Request<Value>,
        from data: Data,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> sending Response<Value> {
        let upload = SimpleRequest(request, fileID: fileID, line: line).body(data: data, contentType: .octetStream)
        return try await value(of: upload.configured(by: configure))
    }

    /// Uploads bytes where nobody wants the answer's content; see the method for values.
    @discardableResult
    nonisolated public func upload(
        for request: Request<Void>,
        from data: Data,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Response<Void> {
        let upload = SimpleRequest(request, fileID: fileID, line: line).body(data: data, contentType: .octetStream)
        return Response(value: (), response: try await send(upload.configured(by: configure)))
    }
}
