import SimpleNetworkingFeatureSupport

extension SimpleRequest {
    /// Sends parts as `multipart/form-data` (RFC 7578).
    ///
    /// The content type keeps its boundary, even if the request or the client sets another `Content-Type`.
    @discardableResult public func body(multipart parts: Multipart) -> Self { body(source: parts) }
}
