extension SimpleNetworking {
    /// Downloads a body to a file and waits until it is complete.
    ///
    /// The file appears, or is replaced, when the download is complete. A download that fails or is cancelled leaves
    /// its bytes in `name.partial`; a retry, or the next download of the same URL to the same file, requests the rest
    /// (RFC 9110 §14.2) if the response had a strong `ETag` or a date. Progress is reported to `on(progress:)` and
    /// `progressUpdates()`. A 206 that doesn't match the request's `Range` fails with `.networkingError`.
    ///
    /// `Accept` is `*/*` and `Accept-Encoding` is `identity` unless the request or the client sets others. The size is
    /// unlimited, unless the server compresses the body regardless: then `maxResponseSize` limits the decompressed
    /// bytes. The configuration's `timeout` is an idle timeout here; only the request's own limits the whole attempt.
    ///
    /// - Returns: The file, and the response without its body: 200, or 206 for a resumed download.
    /// - Throws: `SimpleNetworkingError`; `.failed` for a file that can't be written, for example since its folder does
    ///   not exist. `CancellationError` when the task was cancelled.
    @discardableResult
    nonisolated public func download(for request: SimpleRequest, to file: URL) async throws -> Response<URL> {
        Response(value: file, response: try await send(request, to: .file(file)))
    }

    /// Downloads the body of a typed request to a file, whatever its type.
    @discardableResult nonisolated public func download<Value>(
        for request: Request<Value>,
        to file: URL,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Response<URL> {
        let request = SimpleRequest(request, fileID: fileID, line: line)
        return try await download(for: request.configured(by: configure), to: file)
    }

    /// Uploads a file as the body of a typed request and waits for the response's value.
    ///
    /// The file replaces the request's own body and is read while it is sent, again by each attempt. `Content-Type` is
    /// `application/octet-stream` unless the request sets another. For time limits, see `download(for:to:)`; for
    /// `configure`, see `send(_:configure:)`.
    ///
    /// - Throws: `SimpleNetworkingError`; `.networkingError` with `.unreadableBody` for a file that can't be read.
    ///   `CancellationError` when the task was cancelled.
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

    /// Uploads a file and waits for a response without a value.
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

    /// Uploads bytes and waits for the response's value.
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

    /// Uploads bytes and waits for a response without a value.
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
