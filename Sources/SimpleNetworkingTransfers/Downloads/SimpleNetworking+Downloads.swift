import SimpleNetworkingFeatureSupport

extension SimpleNetworking {
    /// Downloads a response body to a file and waits until the download is complete.
    ///
    /// The client creates or replaces the file when the response is accepted: after `validate(_:)` and the status handlers,
    /// and before success handlers run. A complete response that isn't accepted is discarded. A download that is
    /// interrupted leaves its bytes in the file `name.partial` in the same folder. If the response had a strong `ETag` or a
    /// `Last-Modified` date, a retry or the next download of the same URL to the same file requests only the remaining
    /// bytes (RFC 9110 §14.2). The URL may redirect to a freshly signed one each time. If the server sends only a part
    /// of them, the client requests the next part. The client reports progress to `on(progress:)` and
    /// `progressUpdates()`. If a 206 response doesn't match the request's `Range`, the download fails with
    /// `.networkingError`.
    ///
    /// The client sends `*/*` as `Accept` and `identity` as `Accept-Encoding` unless the request or the client sets
    /// these fields. By default, the size of the download isn't limited; see the configuration's `maxDownloadSize`.
    /// However, if the server compresses the body anyway, `maxResponseSize` limits the decompressed bytes. For downloads,
    /// the configuration's `timeout` is an idle timeout. Only the request's own timeout limits the whole attempt.
    ///
    /// If the request accepts a status outside 200...299, the file contains that response's body, within
    /// `maxResponseSize`. An accepted 304 to a request with its own `If-None-Match` leaves the file unchanged. A request
    /// that doesn't accept 206 isn't resumed.
    ///
    /// - Returns: The file, and the response without its body. The status is 200, or 206 for a resumed download.
    /// - Throws: `SimpleNetworkingError`, or `CancellationError` if the task was cancelled. The error is `.failed` if
    ///   the file can't be written, for example, because its folder doesn't exist.
    @discardableResult
    nonisolated public func download(for request: SimpleRequest, to file: URL) async throws -> Response<URL> {
        Response(value: file, response: try await send(request, to: DownloadFile(url: file)) { $0.suspendsParts() })
    }

    /// Downloads the response body of a typed request to a file, regardless of the request's value type.
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
}

extension SimpleRequest {
    /// Saves the content of a successful response to a file, and resumes an interrupted download.
    ///
    /// The content can have any size, and the response's `data` is empty. To receive the file's URL, add a success
    /// handler for `URL.self`. For details, see `SimpleNetworking.download(for:to:)`.
    @discardableResult public func download(to file: URL) -> Self {
        delivered(to: DownloadFile(url: file)).suspendsParts()
    }
}
