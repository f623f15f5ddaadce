import Foundation
import SimpleNetworking

/// Compresses the content of requests with gzip (RFC 9110 §8.4.1.3).
///
/// Not every server accepts this: the API's documentation has to say so. Add it to a client's middleware:
///
/// ```swift
/// let api = SimpleNetworking(host: "api.example.com") {
///     $0.middleware.append(GzipBodies())
///     $0.compressesBodies = true
/// }
/// api.post("/photo") { $0.body(data: photo, contentType: "image/jpeg").compressed(false) }
/// ```
///
/// Only content in memory that gets smaller is compressed, and none that already has a `Content-Encoding`.
public struct GzipBodies: Middleware {
    /// Creates the middleware.
    public init() {}

    /// Sends the request with its content compressed.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        guard request[CompressesBodies.self], !request.headers.contains("Content-Encoding"),
            case .data(let content) = request.body, let compressed = Gzip.compress(content),
            compressed.count < content.count
        else { return try await next(request) }
        var request = request
        request.body = .data(compressed)
        request.headers["Content-Encoding"] = "gzip"
        return try await next(request)
    }
}

/// Whether the content of requests is compressed.
private enum CompressesBodies: OptionKey {
    static let defaultValue = false
}

extension SimpleNetworking.Configuration {
    /// Whether ``GzipBodies`` compresses the content of requests that don't say so themselves; the default is false.
    public var compressesBodies: Bool {
        get { self[CompressesBodies.self] }
        set { self[CompressesBodies.self] = newValue }
    }
}

extension SimpleRequest {
    /// Sets whether ``GzipBodies`` compresses the content of this request.
    @discardableResult public func compressed(_ isCompressed: Bool = true) -> Self {
        option(CompressesBodies.self, isCompressed)
    }
}
