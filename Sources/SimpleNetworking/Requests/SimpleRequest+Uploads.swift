extension SimpleRequest {
    /// Resumes the upload of the body when it is interrupted, if the server supports that; the default is not to.
    ///
    /// ```swift
    /// let film = SimpleNetworking.post("/films").body(file: file, contentType: "video/mp4").resumesUpload()
    /// print(try await api.send(film).httpStatus)
    /// ```
    ///
    /// This is draft-ietf-httpbis-resumable-upload. A server that supports it names a URL for the upload in an interim
    /// response, 104. If the connection is lost, the client asks the server at that URL how many bytes have arrived and
    /// sends the rest there. Delays between tries follow the retry policy's `backoff`. The response to the last part of
    /// the upload becomes the request's response. The request fails after five interruptions in a row without
    /// progress, or after 1,000 in all. With other servers, this is an ordinary upload.
    ///
    /// - A status handler's `retry()`, and a refresh of the credential, resume the upload too.
    /// - If the file changes during an interruption, an idempotent request begins anew; any other fails. A request also
    ///   fails if the file changes while its rest is sent, or if the user changes.
    /// - The upload's URL must not redirect. With `.never` as the redirect policy, it must have the request's origin.
    /// - The upload's URL receives the request's header fields, except those that describe the whole content. On an
    ///   origin that isn't trusted, it receives no credentials. `prepare(_:for:)` and middleware see only the request
    ///   itself, as with redirects.
    /// - The request's `timeout(_:)` limits each request of the upload, its `deadline(_:)` all of them. Without a
    ///   `timeout(_:)`, the client's timeout is an idle timeout.
    /// - If the server's response to the whole upload is lost, and it doesn't repeat it, the request fails with
    ///   `.connectionLost`, because the client can't know the response.
    /// - Only the libcurl engine reports interim responses. With URLSession, an upload resumes only after a 5xx
    ///   response whose `Location` field contains the URL.
    /// - A connection that is reset early can lose the interim response, and the request then fails. With
    ///   `Expect: 100-continue`, libcurl first waits for the server's interim responses, for at most a second.
    ///
    /// The body must be data or a file; otherwise the request ends with `.invalidRequest`.
    ///
    /// - Parameter draft: The draft that the server supports; the default is interop version 6.
    /// - Returns: The same request.
    @discardableResult public func resumesUpload(draft: UploadDraft = .interop6) -> Self {
        specify { $0.uploadDraft = draft }
    }
}
