import Foundation
import HTTPTypes
import SimpleNetworking

extension SimpleNetworking {
    /// Makes a request of one of swift-http-types, to execute later.
    ///
    /// Without scheme and authority, its path is joined to the client's base URL. Repeated fields are joined, as RFC
    /// 9110 §5.3 permits. A field whose indexing strategy is `disallow` is a secret: hidden in texts, and never sent
    /// off the base URL's origin.
    ///
    /// - Parameters:
    ///   - request: The method, the URL and the header fields.
    ///   - body: The content. The default is none.
    /// - Returns: The request, to which handlers and options can be added.
    public static func request(_ request: HTTPRequest, body: Data? = nil) -> SimpleRequest {
        let head = RequestHead(request)
        let made = SimpleNetworking.request(
            HTTPMethod(rawValue: request.method.rawValue),
            path: head?.url.absoluteString ?? request.path ?? "/"
        )
        var names: Set<HTTPField.Name> = []
        for field in request.headerFields where names.insert(field.name).inserted {
            let isSecret = request.headerFields[fields: field.name].contains { $0.indexingStrategy == .disallow }
            made.header(field.name.rawName, request.headerFields[field.name], isSecret: isSecret)
        }
        guard let body else { return made }
        // The request's own `Content-Type` goes before this one.
        return made.body(data: body, contentType: .octetStream).allowsBodyOnGet()
    }

    /// Sends a request of swift-http-types, and returns the response, whatever its status, and its content.
    ///
    /// - Throws: `SimpleNetworkingError` if there is no response, or `CancellationError` when the task was cancelled.
    public func send(_ request: HTTPRequest, body: Data? = nil) async throws -> (HTTPResponse, Data) {
        let sent = SimpleNetworking.request(request, body: body).acceptable(statuses: HTTPStatuses(100...999))
        let response = try await send(sent)
        return (HTTPResponse(response), response.data)
    }
}

// MARK: Heads

extension RequestHead {
    /// Creates a head; nil if the request names no whole URL.
    public init?(_ request: HTTPRequest) {
        guard let url = request.url, url.host?.isEmpty == false else { return nil }
        self.init(
            method: HTTPMethod(rawValue: request.method.rawValue),
            url: url,
            headers: HTTPHeaders(request.headerFields)
        )
    }
}

extension HTTPRequest {
    /// Creates a request; nil if the method is none that HTTP allows.
    public init?(_ head: RequestHead) {
        guard let method = HTTPRequest.Method(head.method.rawValue) else { return nil }
        self.init(method: method, url: head.url, headerFields: HTTPFields(head.headers))
    }
}

extension HTTPResponse {
    /// Creates the response's head; its content is in the response's `data`.
    public init(_ response: SimpleResponse) {
        self.init(status: Status(code: response.httpStatus), headerFields: HTTPFields(response.headers))
    }

    /// Creates the head of a transport's response.
    public init(_ response: TransportResponse) {
        self.init(status: Status(code: response.httpStatus), headerFields: HTTPFields(response.headers))
    }
}

extension TransportResponse {
    /// Creates a response of swift-http-types' head and content, for a transport of your own.
    public init(_ response: HTTPResponse, data: Data = Data()) {
        self.init(httpStatus: response.status.code, headers: HTTPHeaders(response.headerFields), data: data)
    }
}

// MARK: Fields

extension HTTPHeaders {
    /// Creates header fields in the same order, repeated ones included.
    public init(_ fields: HTTPFields) {
        self.init(
            fields: fields.map { Field($0.name.rawName, $0.value, isSecret: $0.indexingStrategy == .disallow) }
        )
    }
}

extension HTTPFields {
    /// Creates header fields in the same order, repeated ones included; those with a name that HTTP forbids are left
    /// out.
    public init(_ headers: HTTPHeaders) {
        self.init()
        for field in headers {
            guard let name = HTTPField.Name(field.name) else { continue }
            var copy = HTTPField(name: name, value: field.value)
            if field.isSecret { copy.indexingStrategy = .disallow }
            append(copy)
        }
    }
}
