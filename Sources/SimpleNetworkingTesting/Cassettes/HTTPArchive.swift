import Foundation
import SimpleNetworking

/// The exchanges of a cassette in the format that browsers and proxies write: HTTP Archive 1.2 (HAR).
struct HTTPArchive: Codable {
    private struct Pair: Codable {
        var name: String
        var value: String
    }

    private struct Body: Codable {
        var mimeType: String?
        var text: String?
        /// `base64` for content that isn't text.
        var encoding: String?
        var size: Int?
    }

    private struct Request: Codable {
        var method: String
        var url: String
        var httpVersion: String? = "HTTP/1.1"
        var cookies: [Pair]? = []
        var headers: [Pair]
        var queryString: [Pair]? = []
        var postData: Body?
        var headersSize: Int? = -1
        var bodySize: Int? = -1
    }

    private struct Response: Codable {
        var status: Int
        var statusText: String? = ""
        var httpVersion: String? = "HTTP/1.1"
        var cookies: [Pair]? = []
        var headers: [Pair]
        var content: Body
        var redirectURL: String? = ""
        var headersSize: Int? = -1
        var bodySize: Int? = -1
        /// The trailer fields, in a field specific to this library.
        var trailers: [Pair]?

        enum CodingKeys: String, CodingKey {
            case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize, bodySize
            case trailers = "_simpleNetworkingTrailers"
        }
    }

    private struct Timings: Codable {
        var send = 0.0
        var wait = 0.0
        var receive = 0.0
    }

    private struct Entry: Codable {
        // With real times, each recording would differ.
        var startedDateTime = "1970-01-01T00:00:00.000Z"
        var time = 0.0
        var request: Request
        var response: Response
        var cache: [String: String]? = [:]
        var timings: Timings? = Timings()
        /// The reason why there was no response, in a field specific to this library.
        var failure: Pair?
        /// Whether another request was in flight, in a field specific to this library, instead of times.
        var isConcurrent: Bool?

        init(request: Request, response: Response) {
            self.request = request
            self.response = response
        }

        enum CodingKeys: String, CodingKey {
            case startedDateTime, time, request, response, cache, timings
            case failure = "_simpleNetworkingFailure"
            case isConcurrent = "_simpleNetworkingConcurrent"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            request = try values.decode(Request.self, forKey: .request)
            response = try values.decode(Response.self, forKey: .response)
            failure = try values.decodeIfPresent(Pair.self, forKey: .failure)
            isConcurrent = try values.decodeIfPresent(Bool.self, forKey: .isConcurrent)
            startedDateTime = (try? values.decode(String.self, forKey: .startedDateTime)) ?? ""
            time = (try? values.decode(Double.self, forKey: .time)) ?? 0
        }

        /// When the exchange began; nil if the file doesn't specify it.
        var start: Date? { InternetDate.date(startedDateTime) }
    }

    private struct Creator: Codable {
        var name = "SimpleNetworking"
        var version: String? = "1"
    }

    private struct Log: Codable {
        var version: String? = "1.2"
        var creator: Creator? = Creator()
        var entries: [Entry]
    }

    private var log: Log

    // MARK: Reading

    /// Returns the exchanges in order, without entries for which nothing was sent or received.
    ///
    /// Other tools list such entries. Secrets are hidden, because they are hidden in the requests that are compared
    /// with these.
    func exchanges() throws -> [CassetteExchange] {
        var latestEnd = Date.distantPast
        return try log.entries.filter { $0.response.status > 0 || $0.failure != nil }.map { entry in
            var exchange = try Self.exchange(of: entry)
            exchange.isConcurrent = entry.isConcurrent ?? entry.start.map { $0 < latestEnd } ?? false
            // Entries have millisecond precision.
            latestEnd = max(latestEnd, entry.start?.addingTimeInterval(entry.time / 1000) ?? latestEnd)
            return exchange
        }
    }

    private static func exchange(of entry: Entry) throws -> CassetteExchange {
        let secrets = SecretHiding()
        let body = entry.request.postData
        let content = try body.map { try Self.content(of: $0) }
        let hidden = content.map {
            String(decoding: secrets.content($0, type: body?.mimeType.map { .init(rawValue: $0) }), as: UTF8.self)
        }
        let request = CassetteRequest(
            method: entry.request.method,
            url: URL(string: entry.request.url).map { secrets.text(of: CassetteRequest.stable($0)) }
                ?? secrets.text(of: entry.request.url),
            headers: entry.request.headers.map { secrets.text(of: HTTPHeaders.Field($0.name, $0.value)) },
            body: hidden
        )
        if let failure = entry.failure {
            let detail = failure.value.isEmpty ? nil : failure.value
            return CassetteExchange(
                request: request,
                failure: NetworkFailure(.init(rawValue: failure.name), detail: detail)
            )
        }
        let fields = entry.response.headers.map { HTTPHeaders.Field($0.name, $0.value) }
        let response = CassetteResponse(
            status: entry.response.status,
            headers: HTTPHeaders(fields: fields),
            content: try Self.content(of: entry.response.content),
            trailers: HTTPHeaders(fields: (entry.response.trailers ?? []).map { .init($0.name, $0.value) })
        )
        return CassetteExchange(request: request, response: response)
    }

    private static func content(of body: Body) throws -> Data {
        let text = body.text ?? ""
        guard body.encoding == "base64" else { return Data(text.utf8) }
        guard let data = Data(base64Encoded: text.filter { !$0.isWhitespace }) else {
            throw CassetteFailure(text: "the content of an entry is not base64")
        }
        return data
    }

    // MARK: Writing

    init(_ exchanges: [CassetteExchange]) {
        log = Log(
            entries: exchanges.map { exchange in
                let request = exchange.request
                var sent = Request(method: request.method, url: request.url, headers: request.headers.map(Self.pair))
                let type = sent.headers.first { $0.name.lowercased() == "content-type" }?.value
                sent.postData = request.body.map { Body(mimeType: type ?? "", text: $0) }
                let query = URLComponents(string: request.url)?.queryItems ?? []
                sent.queryString = query.map { Pair(name: $0.name, value: $0.value ?? "") }
                let content = exchange.response?.content ?? Data()
                let text = String(data: content, encoding: .utf8)
                let headers = exchange.response?.headers ?? [:]
                var entry = Entry(
                    request: sent,
                    response: Response(
                        status: exchange.response?.status ?? 0,
                        headers: headers.map { Pair(name: $0.name, value: $0.value) },
                        content: Body(
                            mimeType: headers["Content-Type"] ?? "",
                            text: text ?? content.base64EncodedString(),
                            encoding: text == nil ? "base64" : nil,
                            size: content.count
                        ),
                        redirectURL: headers["Location"] ?? ""
                    )
                )
                if let trailers = exchange.response?.trailers, !trailers.isEmpty {
                    entry.response.trailers = trailers.map { Pair(name: $0.name, value: $0.value) }
                }
                entry.isConcurrent = exchange.isConcurrent ? true : nil
                entry.failure = exchange.failure.map { Pair(name: $0.kind.rawValue, value: $0.detail ?? "") }
                return entry
            }
        )
    }

    private static func pair(of line: String) -> Pair {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return Pair(name: String(parts[0]), value: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
    }
}
