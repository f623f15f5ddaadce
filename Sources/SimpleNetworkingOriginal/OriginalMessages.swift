import Foundation
import SimpleNetworking

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Adds handlers and options to a request that is about to be executed.
@available(*, deprecated, message: "write the type of the closure")
public typealias SimpleRequestBuilder = (SimpleRequest) -> SimpleRequest

extension SimpleRequest {
    /// The original library's name for `MediaType`.
    @available(*, deprecated, renamed: "MediaType")
    public typealias ContentType = MediaType

    /// The HTTP method, under the original library's name.
    @available(*, deprecated, renamed: "method")
    public var httpMethod: HTTPMethod { method }
}

extension SimpleResponse {
    /// Whether the status is acceptable, under the original library's name.
    @available(*, deprecated, renamed: "isSuccess")
    public var success: Bool { isSuccess }

    /// The content, under the original library's name.
    @available(*, deprecated, renamed: "data")
    public var httpData: Data? { data }

    /// Creates a response for tests, as in the original library, or returns nil if there is no HTTP response.
    @available(*, deprecated, message: "use init(request:httpStatus:headers:data:)")
    public init?(data: Data?, response: HTTPURLResponse?) {
        guard let response, let url = response.url else { return nil }
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { HTTPHeaders.Field($0, "\(value)") }
        }
        self.init(
            request: RequestHead(url: url),
            httpStatus: response.statusCode,
            headers: HTTPHeaders(fields: fields),
            data: data ?? Data()
        )
    }

    /// Decodes JSON as the original library did, and returns nil if the content doesn't match the type.
    @available(*, deprecated, message: "use decode(_:using:), which throws an error that says why")
    public func decodeJSON<Value: Decodable>(using decoder: JSONDecoder? = nil) -> Value? {
        try? decode(Value.self, using: decoder)
    }
}
