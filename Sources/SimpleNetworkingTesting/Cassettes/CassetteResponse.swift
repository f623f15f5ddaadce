import Foundation
import SimpleNetworkingCore
import SimpleNetworkingFeatureSupport

/// A response as a cassette stores it.
struct CassetteResponse: Sendable {
    var status: Int
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

    init(status: Int, headers: HTTPHeaders, content: Data = Data(), trailers: HTTPHeaders = [:]) {
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
        HTTPHeaders(fields: headers.map { HTTPHeaders.Field($0.name, secrets.value(of: $0)) })
    }

    /// The URL to which the response redirects a request for `url`, as a cassette stores URLs; nil if it doesn't.
    func redirectTarget(from url: String) -> String? {
        guard [301, 302, 303, 307, 308].contains(status), let location = headers.values(for: "Location").first,
            let base = URL(string: url), let target = try? URLParts(resolving: location, against: base).url()
        else { return nil }
        return SecretHiding().text(of: CassetteRequest.stable(target))
    }

    // MARK: Replaying

    /// Replaces the content that a browser's cache had for a 304, which a client without that cache can't use.
    mutating func serve(_ request: TransportRequest) {
        guard status == 304, !content.isEmpty else { return }
        let isConditional = ["If-None-Match", "If-Modified-Since"].contains(where: request.headers.contains)
        if isConditional { content = Data() } else { status = 200 }
    }

    /// Keeps cookies that have expired since the recording for as long as they were valid then.
    mutating func keepCookies(recorded: Date?, now: Date = Date()) {
        guard headers.contains("Set-Cookie"),
            let recorded = headers.values(for: "Date").first.flatMap({ HTTPDate.date($0) }) ?? recorded
        else { return }
        headers = HTTPHeaders(
            fields: headers.map { field in
                guard field.name.lowercased() == "set-cookie", !field.value.lowercased().contains("max-age"),
                    let expires = SetCookie(field.value, now: recorded)?.expires, expires > recorded, expires <= now
                else { return field }
                return HTTPHeaders.Field(
                    field.name,
                    "\(field.value); Max-Age=\(Int(expires.timeIntervalSince(recorded)))"
                )
            }
        )
    }
}
