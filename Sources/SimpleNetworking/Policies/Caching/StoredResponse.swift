/// An answer as a cache keeps it, and all that is needed to know whether it may be given again.
struct StoredResponse: Sendable {
    let entry: CacheKey.Entry
    let status: Int
    let headers: HTTPHeaders
    let body: Data
    /// When the request was sent that brought or last confirmed it.
    let requestTime: Date
    /// When that request was answered.
    let responseTime: Date

    init(
        _ entry: CacheKey.Entry,
        status: Int,
        headers: HTTPHeaders,
        body: Data,
        requestTime: Date,
        responseTime: Date
    ) {
        self.entry = entry
        self.status = status
        self.headers = headers
        self.body = body
        self.requestTime = requestTime
        self.responseTime = responseTime
    }

    /// Makes of an answer what is stored, or nil if it must not be, or would be of no use (RFC 9111 §3).
    init?(
        _ key: CacheKey,
        of request: RequestHead,
        status: Int,
        headers: HTTPHeaders,
        body: Data,
        times: (request: Date, response: Date)
    ) {
        guard request.method == .get, !request.headers.contains("Range"),
            !CacheControl(request.headers).has("no-store"), headers.isPlainlyTransferred,
            let names = headers.variedNames
        else { return nil }
        self.init(
            key.entry(varyingWith: names),
            status: status,
            headers: headers.storable,
            body: body,
            requestTime: times.request,
            responseTime: times.response
        )
        guard isStorable else { return nil }
    }

    /// Looks again whether an answer may stay stored, with the fields that a 304 has brought.
    init?(_ confirmed: StoredResponse, _ key: CacheKey, of request: RequestHead) {
        self.init(
            key,
            of: request,
            status: confirmed.status,
            headers: confirmed.headers,
            body: confirmed.body,
            times: (confirmed.requestTime, confirmed.responseTime)
        )
    }

    var directives: CacheControl { CacheControl(headers) }

    /// Bytes that it takes, about, and no fewer than in a file.
    var cost: Int {
        headers.reduce(512 + body.count) { $0 + 2 * ($1.name.utf8.count + $1.value.utf8.count) + 16 }
    }

    /// Tells whether a request varies in nothing that the answer varies with.
    func answers(_ key: CacheKey) -> Bool {
        headers.variedNames.map { key.entry(varyingWith: $0) == entry } ?? false
    }

    private var isStorable: Bool {
        let directives = directives
        guard Self.understood.contains(status) || Self.heuristic.contains(status) else { return false }
        // Whoever understands the status need not heed a `no-store` that is meant for those who do not (§5.2.2.3).
        guard !directives.has("no-store") || directives.has("must-understand") else { return false }
        let isExplicit =
            directives.has("max-age") || directives.has("public") || directives.has("private")
            || headers.contains("Expires")
        guard isExplicit || Self.heuristic.contains(status) else { return false }
        return hasValidator || lifetime > 0 && !directives.has("no-cache")
    }

    /// Statuses whose answers may be given again for a guessed time (RFC 9110 §15.1).
    static let heuristic: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// Statuses that are stored if the server says for how long; not those that ask for another try, such as 401 or 503.
    private static let understood: Set<Int> = [302, 303, 307, 403, 451]
}
