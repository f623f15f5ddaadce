import SimpleNetworkingFeatureSupport

extension SimpleRequest {
    /// Resumes the upload of the body after an interruption, if the server supports resumable uploads.
    ///
    /// ```swift
    /// let film = SimpleNetworking.post("/films").body(file: file, contentType: "video/mp4").resumesUpload()
    /// print(try await api.send(film).httpStatus)
    /// ```
    ///
    /// By default, a request doesn't resume its upload. With this option, the client uploads the body as specified in
    /// draft-ietf-httpbis-resumable-upload. A server that supports the draft sends a URL for the upload in an interim
    /// response with the status 104. If the connection is lost, the client asks the server at the upload's URL how many
    /// bytes have arrived, and sends the remaining bytes there. The delays between attempts to resume the upload follow
    /// the retry policy's `backoff`. The response to the last part of the upload becomes the request's response. The
    /// upload resumes at most five times in a row without progress, and at most 1,000 times in all. If the server doesn't
    /// support the draft, the request is an ordinary upload.
    ///
    /// - A `retry()` call in a status handler or a credential refresh also resumes the upload.
    /// - If the file changes during an interruption, an idempotent request starts the upload again, and any other
    ///   request fails. A request also fails if the file changes while the remaining bytes are sent, or if the user
    ///   changes.
    /// - The server must not redirect requests to the upload's URL. If the redirect policy is `.never`, the upload's
    ///   URL must have the request's origin.
    /// - The client sends the request's header fields to the upload's URL, except fields that describe the whole
    ///   content. If the origin of the upload's URL isn't trusted, the client sends no credentials to it.
    ///   `prepare(_:for:)` and middleware receive only the original request, as with redirects.
    /// - The request's `timeout(_:)` limits each request of the upload, and its `deadline(_:)` limits all its requests
    ///   together. Without a `timeout(_:)`, the client's timeout is an idle timeout.
    /// - If the server's response to the whole upload is lost, and the server doesn't repeat the response, the request
    ///   fails with `.connectionLost`, because the client can't learn the outcome.
    /// - On Apple platforms, URLSession reports interim responses in iOS 17, macOS 14, tvOS 17, watchOS 10 and later.
    ///   On earlier systems, and with a session that you passed to the client, an upload resumes only after a 5xx
    ///   response whose `Location` field contains the URL.
    /// - If the connection is reset early, the client might not receive the interim response, and the request then
    ///   fails. With `Expect: 100-continue`, libcurl first waits up to a second for the server's interim responses.
    ///
    /// The body must be data or a file; otherwise the request ends with `.invalidRequest`.
    ///
    /// To resume the upload after your app is relaunched, pass a `record`, and execute the same request for the same,
    /// unchanged file. The client stores the upload's URL in the record, and removes the record when the upload has
    /// ended with a response. Only the current user of the device can read the record. Use one record for each upload
    /// and account. If the record's folder doesn't exist, if a file that isn't a record has its name, if another request
    /// in progress uses the record, or if the body isn't a file, the request ends with `.invalidRequest`. If the client
    /// can't write the record, the upload continues without the record.
    ///
    /// - Parameters:
    ///   - draft: The draft that the server supports; the default is interop version 6.
    ///   - record: The file that stores the upload's URL. If nil (the default), no later run of your app resumes the
    ///     upload.
    /// - Returns: The same request.
    @discardableResult public func resumesUpload(draft: UploadDraft = .interop6, record: URL? = nil) -> Self {
        let terms = UploadTerms(draft: draft, record: record.map { UploadRecord(file: $0) })
        return option(UploadFeature.self, terms).sentInParts()
    }
}
