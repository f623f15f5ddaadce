import SimpleNetworkingFeatureSupport

extension SimpleNetworking {
    /// Uploads a file as the body of a typed request and waits for the response's value.
    ///
    /// The file replaces the request's own body. The client reads the file during the transfer, and again for each
    /// attempt. `Content-Type` is `application/octet-stream` unless the request sets this field. The client's
    /// `timeout` is an idle timeout; only the request's own timeout limits the whole attempt. For `configure`, see
    /// `send(_:configure:)`.
    ///
    /// - Throws: `SimpleNetworkingError`, or `CancellationError` if the task was cancelled. The error is
    ///   `.networkingError` with `.unreadableBody` if the file can't be read.
    @discardableResult nonisolated public func upload<Value: Decodable & _SendableMetatype>(
        for request: Request<Value>,
        fromFile file: URL,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> sending Response<Value> {
        let upload = SimpleRequest(request, fileID: fileID, line: line).upload(.file(file))
        return try await value(of: upload.configured(by: configure))
    }

    /// Uploads a file as the body of a request that doesn't decode its response.
    @discardableResult nonisolated public func upload(
        for request: Request<Void>,
        fromFile file: URL,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Response<Void> {
        let upload = SimpleRequest(request, fileID: fileID, line: line).upload(.file(file))
        return Response(value: (), response: try await send(upload.configured(by: configure)))
    }

    /// Uploads data as the body of a typed request and waits for the response's value.
    @discardableResult nonisolated public func upload<Value: Decodable & _SendableMetatype>(
        for request: Request<Value>,
        from data: Data,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> sending Response<Value> {
        let upload = SimpleRequest(request, fileID: fileID, line: line).upload(.data(data))
        return try await value(of: upload.configured(by: configure))
    }

    /// Uploads data as the body of a request that doesn't decode its response.
    @discardableResult nonisolated public func upload(
        for request: Request<Void>,
        from data: Data,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Response<Void> {
        let upload = SimpleRequest(request, fileID: fileID, line: line).upload(.data(data))
        return Response(value: (), response: try await send(upload.configured(by: configure)))
    }
}
