extension SimpleNetworking {
    /// Downloads content to a file, and waits until it is complete.
    ///
    /// The file appears when it is complete; what was there stays until then. What comes of a download that fails or is
    /// cancelled is kept beside it, in `name.partial`, and the next download of the same address to the same file asks for
    /// the rest only (RFC 9110 §14.2), provided that the server can name the content by a strong `ETag` or by a date. A
    /// retry policy goes on in the same way. Progress is told to the request's `on(progress:)`, and by `progressUpdates()`.
    /// A 206 that does not fit the request's `Range`, or comes without one, is `.networkingError` and no file.
    ///
    /// `Accept` is `*/*` and `Accept-Encoding` is `identity` unless the request or the client says otherwise. The size has
    /// no limit, unless the content comes compressed all the same: then `maxResponseSize` limits what is decompressed.
    /// Without a `timeout` of its own the request may take any time, as long as bytes move: the configuration's `timeout`
    /// then limits the pauses.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - file: Where the content goes; its folder has to exist.
    /// - Returns: The file, and the answer without content: status 200, or 206 if a download was gone on with.
    /// - Throws: `SimpleNetworkingError`; a file that cannot be written is `.failed`. `CancellationError` when the
    ///   task was cancelled.
    @discardableResult
    nonisolated public func download(for request: SimpleRequest, to file: URL) async throws -> Response<URL> {
        Response(value: file, response: try await send(request, to: .file(file)))
    }

    /// Downloads the content of a typed request to a file, whatever its type; see the method for untyped ones.
    @discardableResult
    nonisolated public func download<Value>(
        for request: Request<Value>,
        to file: URL,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Response<URL> {
        let request = SimpleRequest(request, fileID: fileID, line: line)
        return try await download(for: request.configured(by: configure), to: file)
    }

    /// Gives the content of a success piece by piece, while it comes.
    ///
    /// ```swift
    /// for try await piece in api.bytes(for: SimpleNetworking.get("/log")) { print(piece.count) }
    /// ```
    ///
    /// The request is sent when the first piece is wanted, and each time that the sequence is gone through. The server waits
    /// while nobody asks for a piece. Handlers, renewal and retries are as always until content comes; from then on a
    /// failure ends it, since what was handed over cannot be taken back. To stop, leave the loop. Neither the size nor the
    /// time is limited, only the pauses, and what comes compressed although the request's own `Accept-Encoding` says
    /// otherwise: see `download(for:to:)`.
    nonisolated public func bytes(for request: SimpleRequest) -> ResponseBytes {
        ResponseBytes(client: self, request: request)
    }

    /// Gives the content of a typed request piece by piece, whatever its type; see the method for untyped ones.
    nonisolated public func bytes<Value>(
        for request: Request<Value>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ResponseBytes {
        bytes(for: SimpleRequest(request, fileID: fileID, line: line))
    }
}
