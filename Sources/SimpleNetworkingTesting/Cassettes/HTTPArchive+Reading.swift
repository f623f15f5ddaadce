import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

extension HTTPArchive {
    /// Returns the exchanges in order, without entries for which nothing was sent or received.
    ///
    /// Other tools list such entries. Secrets are hidden, because they are hidden in the requests that are compared
    /// with these.
    func exchanges() throws -> [CassetteExchange] {
        var latestEnd = Date.distantPast
        return try orderedEntries.filter(\.isExchange).map { entry in
            var exchange = try exchange(of: entry)
            exchange.isOptional = !isOwn && entry.request.method.uppercased() == "OPTIONS"
            exchange.start = isOwn ? nil : entry.start
            exchange.isConcurrent = entry.isConcurrent ?? entry.start.map { $0 < latestEnd } ?? false
            if exchange.isOptional { return exchange }
            // Entries have millisecond precision.
            latestEnd = max(latestEnd, entry.start?.addingTimeInterval(entry.time / 1000) ?? latestEnd)
            return exchange
        }
    }

    /// The entries in the order in which they began; the format allows any order.
    private var orderedEntries: [Entry] {
        let starts = log.entries.compactMap(\.start)
        guard starts.count == log.entries.count else { return log.entries }
        let milliseconds = starts.map { Int(saturating: $0.timeIntervalSince1970 * 1000) }
        return log.entries.indices.ordered { milliseconds[$0] }.map { log.entries[$0] }
    }

    private func exchange(of entry: Entry) throws -> CassetteExchange {
        let secrets = SecretHiding()
        let body = entry.request.postData
        let content = try body.map { try $0.sent }
        let hidden = content.map {
            String(decoding: secrets.content($0, type: body?.mimeType.map { .init(rawValue: $0) }), as: UTF8.self)
        }
        let request = CassetteRequest(
            method: entry.request.method,
            url: URL(string: entry.request.url).map { secrets.text(of: CassetteRequest.stable($0)) }
                ?? secrets.text(of: entry.request.url),
            headers: fields(entry.request.headers).map { secrets.text(of: $0) },
            body: hidden
        )
        var exchange = CassetteExchange(request: request)
        exchange.interims = (entry.interims ?? []).map {
            CassetteResponse(status: $0.status, headers: HTTPHeaders(fields: fields($0.headers)))
        }
        exchange.failure = entry.failure.map { failure in
            NetworkFailure(.init(rawValue: failure.name), detail: failure.value.isEmpty ? nil : failure.value)
        }
        if let response = entry.response, let status = response.status, status > 0 {
            exchange.response = try self.response(response, status, of: entry)
        }
        return exchange
    }

    private func response(_ response: Response, _ status: Int, of entry: Entry) throws -> CassetteResponse {
        var headers = HTTPHeaders(fields: fields(response.headers))
        if !isOwn { response.complete(&headers, status: status, start: entry.start) }
        let type = headers["Content-Type"].map { MediaType(rawValue: $0) }
        let content = try response.content?.received(type, isUTF8: isAboveRedirects) ?? (data: Data(), type: type)
        if content.type != type { headers["Content-Type"] = content.type?.rawValue }
        return CassetteResponse(
            status: status,
            headers: headers,
            content: content.data,
            trailers: HTTPHeaders(fields: fields(response.trailers))
        )
    }

    /// Returns the fields, without the pseudo-fields of HTTP/2; browsers join repeated fields with line breaks.
    private func fields(_ pairs: [Pair]?) -> [HTTPHeaders.Field] {
        (pairs ?? []).filter { !$0.name.hasPrefix(":") }.flatMap { pair in
            pair.value.replacingOccurrences(of: "\r\n", with: "\n").components(separatedBy: "\n")
                .map { HTTPHeaders.Field(pair.name, $0) }
        }
    }
}

extension HTTPArchive.Entry {
    /// Whether a request was sent, and a response or a failure was received.
    fileprivate var isExchange: Bool {
        let url = request.url.lowercased()
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else { return false }
        return response?.status ?? 0 >= 200 || failure != nil
    }
}

extension HTTPArchive.Response {
    /// Adds the fields that another tool lists apart, and separates cookies that it has joined.
    fileprivate func complete(_ headers: inout HTTPHeaders, status: Int, start: Date?) {
        if (300...399).contains(status), !headers.contains("Location"), let redirectURL, !redirectURL.isEmpty {
            headers.append("Location", redirectURL)
        }
        let values = headers.values(for: "Set-Cookie")
        let separated = values.count == 1 ? values[0].joinedCookies : values
        if separated.count > values.count {
            headers["Set-Cookie"] = nil
            for value in separated { headers.append("Set-Cookie", value) }
        }
        guard values.isEmpty else { return }
        for cookie in cookies?.cookies ?? [] { headers.append("Set-Cookie", cookie.field(at: start)) }
    }
}

extension HTTPArchive.CookieList.Cookie {
    /// Returns the value of a field that sets the cookie.
    fileprivate func field(at start: Date?) -> String {
        var parts = ["\(name)=\(value)"]
        if let path, !path.isEmpty { parts.append("Path=\(path)") }
        if let domain, !domain.isEmpty { parts.append("Domain=\(domain)") }
        if let end = expires.flatMap(InternetDate.date) {
            parts.append("Max-Age=\(max(0, Int(saturating: end.timeIntervalSince(start ?? Date()))))")
        }
        if secure == true { parts.append("Secure") }
        if httpOnly == true { parts.append("HttpOnly") }
        return parts.joined(separator: "; ")
    }
}
