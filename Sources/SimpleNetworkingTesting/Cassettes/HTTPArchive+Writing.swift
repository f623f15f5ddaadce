import Foundation
import SimpleNetworkingCore

extension HTTPArchive {
    init(_ exchanges: [CassetteExchange], isAboveRedirects: Bool = false) {
        let creator = Creator(name: Creator.ownName, version: isAboveRedirects ? "1" : "2")
        log = Log(creator: creator, entries: exchanges.map { Self.entry(of: $0, isUTF8: isAboveRedirects) })
    }

    private static func entry(of exchange: CassetteExchange, isUTF8: Bool) -> Entry {
        let request = exchange.request
        var sent = Request(method: request.method, url: request.url, headers: request.headers.map(pair))
        let type = sent.headers?.first { $0.name.lowercased() == "content-type" }?.value
        sent.postData = request.body.map { Body(mimeType: type ?? "", text: $0) }
        let query = URLComponents(string: request.url)?.queryItems ?? []
        sent.queryString = query.map { Pair(name: $0.name, value: $0.value ?? "") }
        let headers = exchange.response?.headers ?? [:]
        var received = Response(
            status: exchange.response?.status ?? 0,
            headers: pairs(headers),
            content: Body(exchange.response?.content ?? Data(), type: headers["Content-Type"], isUTF8: isUTF8),
            redirectURL: headers["Location"] ?? ""
        )
        if let trailers = exchange.response?.trailers, !trailers.isEmpty { received.trailers = pairs(trailers) }
        var entry = Entry(request: sent, response: received)
        entry.isConcurrent = exchange.isConcurrent ? true : nil
        entry.failure = exchange.failure.map { Pair(name: $0.kind.rawValue, value: $0.detail ?? "") }
        if !exchange.interims.isEmpty {
            entry.interims = exchange.interims.map { Interim(status: $0.status, headers: pairs($0.headers)) }
        }
        return entry
    }

    private static func pairs(_ headers: HTTPHeaders) -> [Pair] { headers.map { Pair(name: $0.name, value: $0.value) } }

    private static func pair(of line: String) -> Pair {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return Pair(name: String(parts[0]), value: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
    }
}
