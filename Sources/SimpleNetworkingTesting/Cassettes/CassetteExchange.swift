import Foundation
import SimpleNetworking

/// A request and its response or failure.
struct CassetteExchange: Sendable {
    var request: CassetteRequest
    /// The response; nil if there was none.
    var response: CassetteResponse?
    /// The reason why there was no response.
    var failure: NetworkFailure?
    /// Whether another request was in flight when this one began, so that either may come first.
    var isConcurrent = false

    /// The number of secrets known when they were last hidden.
    private var hiddenSecrets = -1

    init(request: CassetteRequest, response: CassetteResponse? = nil, failure: NetworkFailure? = nil) {
        self.request = request
        self.response = response
        self.failure = failure
    }

    /// Hides the secrets known now; an earlier plain value may turn out to be one.
    mutating func hide(by secrets: SecretHiding) {
        guard hiddenSecrets != secrets.count else { return }
        hiddenSecrets = secrets.count
        request.hide(by: secrets)
        response?.hide(by: secrets)
        failure = failure.map { NetworkFailure($0.kind, detail: $0.detail.map { secrets.text(of: $0) }) }
    }

    /// The kind of failure that represents a timeout.
    static let timeout = NetworkFailure.Kind(rawValue: "the request timed out")

    func replayed(to request: TransportRequest) throws -> TransportResponse {
        if failure?.kind == Self.timeout {
            throw SimpleNetworkingError.timedOut(.attempt(request.timeout), request.head)
        }
        if let failure { throw failure }
        guard let response else {
            throw CassetteFailure(text: "\(self.request.summary) has no recorded response")
        }
        return response.transported
    }
}

/// A request as a cassette stores and compares it, with secrets hidden.
struct CassetteRequest: Sendable {
    let method: String
    var url: String
    var headers: [String]
    /// The body as text, or a description of a body that isn't text; nil for none.
    var body: String?

    init(method: String, url: String, headers: [String], body: String?) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    init(_ request: TransportRequest, _ content: Data, _ secrets: SecretHiding) {
        method = request.method.rawValue
        url = secrets.text(of: Self.stable(request.url))
        headers = request.headers.map { secrets.text(of: $0) }
        body = Self.text(of: request, content, secrets)
        // The boundary is random.
        if request.multipart != nil {
            headers.removeAll { $0.lowercased().hasPrefix("content-type:") }
            headers.append("Content-Type: multipart/form-data")
        }
    }

    var summary: String { "\(method) \(url)" }

    func isSame(as other: CassetteRequest) -> Bool {
        let hasSameBody = body == other.body || bodyDifferences(from: other)?.isEmpty == true
        return method == other.method && url == other.url && hasSameBody
    }

    func comparison(with other: CassetteRequest) -> [Comparison] {
        var rows = [
            Comparison(aspect: "method", expected: method, actual: other.method, isEqual: method == other.method),
            Comparison(aspect: "URL", expected: url, actual: other.url, isEqual: url == other.url),
        ]
        if let differences = bodyDifferences(from: other) {
            rows += differences.map {
                Comparison(aspect: "body \($0.place)", expected: $0.left, actual: $0.right, isEqual: false)
            }
        } else if body != other.body {
            rows.append(
                Comparison(aspect: "body", expected: body ?? "none", actual: other.body ?? "none", isEqual: false)
            )
        }
        return rows
    }

    mutating func hide(by secrets: SecretHiding) {
        url = secrets.known(in: url)
        headers = headers.map { secrets.known(in: $0) }
        body = body.map { secrets.known(in: $0) }
    }

    private func bodyDifferences(from other: CassetteRequest) -> [JSONDifference]? {
        guard let body, let otherBody = other.body else { return nil }
        return JSONDifference.all(between: Data(body.utf8), and: Data(otherBody.utf8))
    }

    /// Returns a URL without the port of a server on this machine, which differs each time.
    static func stable(_ url: URL) -> URL {
        guard ["127.0.0.1", "localhost", "::1", "[::1]"].contains(url.host ?? ""),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        parts.port = nil
        return parts.url ?? url
    }

    private static func text(of request: TransportRequest, _ content: Data, _ secrets: SecretHiding) -> String? {
        if case .none = request.body { return nil }
        // Reading it might take it from the server.
        if request.body.isStream { return "(\(request.body))" }
        if let parts = request.multipart {
            return parts.map { part in
                let head = part.name + (part.filename.map { " (\($0))" } ?? "")
                if SecretHiding.isSecret(part.name) { return "\(head): \(SecretHiding.mark)" }
                return "\(head): \(text(of: part.data, part.type, secrets))"
            }.joined(separator: "\n")
        }
        return text(of: content, request.headers["Content-Type"].map { MediaType(rawValue: $0) }, secrets)
    }

    private static func text(of data: Data, _ type: MediaType?, _ secrets: SecretHiding) -> String {
        let hidden = secrets.content(data, type: type)
        if let text = String(data: hidden, encoding: .utf8), hidden.count <= 64 << 10, !text.utf8.contains(0) {
            return text
        }
        return "(\(data.count) bytes, SHA-256 \(SHA256.digest(hidden).hexadecimal))"
    }
}

/// A response as a cassette stores it.
struct CassetteResponse: Sendable {
    let status: Int
    var headers: HTTPHeaders
    var content: Data
    /// The trailer fields.
    var trailers: HTTPHeaders

    /// The response as a transport returns it.
    var transported: TransportResponse {
        var response = TransportResponse(httpStatus: status, headers: headers, data: content)
        response.trailers = trailers
        return response
    }

    init(status: Int, headers: HTTPHeaders, content: Data, trailers: HTTPHeaders = [:]) {
        self.status = status
        self.headers = headers
        self.content = content
        self.trailers = trailers
    }

    init(_ response: TransportResponse, _ content: Data) {
        self.init(status: response.httpStatus, headers: response.headers, content: content, trailers: response.trailers)
    }

    mutating func hide(by secrets: SecretHiding) {
        let type = headers["Content-Type"].map { MediaType(rawValue: $0) }
        let stored = secrets.stored(content, type: type)
        content = stored.content
        if stored.type != type { headers["Content-Type"] = stored.type?.rawValue }
        headers = Self.hidden(headers, by: secrets)
        trailers = Self.hidden(trailers, by: secrets)
    }

    private static func hidden(_ headers: HTTPHeaders, by secrets: SecretHiding) -> HTTPHeaders {
        HTTPHeaders(
            fields: headers.map { field in
                let line = secrets.text(of: field)
                return HTTPHeaders.Field(field.name, String(line.dropFirst(field.name.count + 2)))
            }
        )
    }
}
