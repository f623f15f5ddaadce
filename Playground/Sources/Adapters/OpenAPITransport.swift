import Foundation
import HTTPTypes
import OpenAPIRuntime
import SimpleNetworking
import SimpleNetworkingTransfers

/// Sends the requests of a client that swift-openapi-generator has generated.
///
/// Bodies are streamed both ways: the call returns when the response's head has arrived, the content follows while it
/// is read, and it is not read faster than the generated client does. Responses of any status go to the generated
/// client, after this client's redirects, retries and token refreshes. To stop a transfer, cancel the task or release
/// the body.
///
/// The operation's ID is the request's tag `operation`. Give the client the same base URL as the generated one, so that
/// its credentials are sent there.
public struct OpenAPITransport: ClientTransport {
    private let client: SimpleNetworking

    /// Creates a transport; several generated clients may share it.
    public init(client: SimpleNetworking) { self.client = client }

    /// Sends one request, and returns when the response's head has arrived.
    public func send(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var whole = request
        let base = baseURL.absoluteString
        whole.url = URL(string: (base.hasSuffix("/") ? String(base.dropLast()) : base) + (request.path ?? ""))
        let sent = SimpleNetworking.request(whole).tag("operation", operationID)
        if let body { Self.add(body, to: sent) }
        // A body can be read once, and by one task at a time.
        nonisolated(unsafe) var bytes = client.bytes(for: sent).makeAsyncIterator()
        do {
            guard let head = try await bytes.head() else { throw CancellationError() }
            let response = HTTPResponse(head)
            if request.method == .head || head.httpStatus == 204 { return (response, nil) }
            // The iterator's release ends the transfer, so the body that holds it can be left unread.
            let content = AsyncThrowingStream<HTTPBody.ByteChunk, any Error> {
                try await bytes.next().map { ArraySlice($0) }
            }
            return (response, HTTPBody(content, length: Self.length(of: response)))
        } catch let error as SimpleNetworkingError {
            // Content of other statuses comes whole.
            switch error {
            case .clientError(let response), .serverError(let response), .invalidResponse(let response):
                return (HTTPResponse(response), request.method == .head ? nil : HTTPBody(response.data))
            default: throw error
            }
        }
    }

    private static func add(_ body: HTTPBody, to sent: SimpleRequest) {
        let length: Int? = if case .known(let count) = body.length { Int(count) } else { nil }
        // A body that can be read only once fails a second attempt with the runtime's own error.
        let chunks = BodyChunks { body.map { Data($0) } }
        // The request's own `Content-Type` goes before this one.
        sent.body(chunks: chunks, length: length, contentType: .octetStream).allowsBodyOnGet()
    }

    /// The length that the head announces, if the content has not been decompressed since.
    private static func length(of response: HTTPResponse) -> HTTPBody.Length {
        guard response.headerFields[.contentEncoding] == nil,
            let length = response.headerFields[.contentLength].flatMap({ Int64($0) })
        else { return .unknown }
        return .known(length)
    }
}
