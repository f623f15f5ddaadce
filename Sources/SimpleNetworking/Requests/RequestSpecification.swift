/// Everything that a request says, as one value.
struct RequestSpecification: Sendable {
    struct Header: Sendable {
        let name: String
        /// nil removes the field that the client would send.
        let value: String?
        var isSecret = false
    }

    var method: HTTPMethod
    var path: String
    /// Where the request was made.
    let fileID: StaticString
    let line: UInt
    var query = Query()
    var headers: [Header] = []
    var body = BodyContent.none
    /// The type that `contentType(_:)` sets, in place of the body's.
    var contentType: MediaType?
    var allowsBodyOnGet = false
    /// The destination of a success's content.
    var destination = ContentDestination.memory
    var timeout: TimeInterval?
    var deadline: TimeInterval?
    var callbackQueue: DispatchQueue?
    var retryPolicy: RetryPolicy?
    var cachePolicy: CachePolicy?
    var acceptableStatuses: HTTPStatuses?
    var priority = RequestPriority.normal
    var coalesces: Bool?
    /// Names the requests of which only the newest goes on.
    var replacementKey: String?
    /// Whether each execution makes an `Idempotency-Key`.
    var makesIdempotencyKey = false
    var tags: [String: String] = [:]
    /// Changes each attempt last.
    var configure: (@Sendable (inout TransportRequest) throws -> Void)?
    /// The first invalid setting, which ends the execution.
    var mistake: SimpleNetworkingError?
}

extension RequestSpecification {
    /// What may be or hold an object of a user's.
    struct Objects {
        let body: BodyContent
        let destination: ContentDestination
        let callbackQueue: DispatchQueue?
        let configure: (@Sendable (inout TransportRequest) throws -> Void)?
    }

    var objects: Objects {
        Objects(
            body: body,
            destination: destination,
            callbackQueue: callbackQueue,
            configure: configure
        )
    }
}

extension [RequestSpecification.Header] {
    /// Whether the request sets or removes a header field.
    func names(_ field: String) -> Bool { contains { $0.name.isSameFieldName(as: field) } }
}

extension RequestSpecification: CustomStringConvertible {
    var description: String { "\(method) \(Redaction.text(ofURL: path))" }
}

/// The position in a list that is requested page by page.
struct PageProgress: Sendable {
    /// Takes the place of a request's own path and query.
    struct Target: Sendable {
        var path: String
        var query: Query
    }

    /// Pairs for the first page, unless the request names them itself.
    let start: Query
    /// The requested page; nil for the first.
    var target: Target?
    /// The number of the requested page, from 1.
    var number = 1
    /// The count of items on the pages before.
    var items = 0
    /// The pages that were requested.
    let visited = VisitedPages()

    init(start: Query) { self.start = start }

    var restarted: PageProgress { PageProgress(start: start) }

    func specification(for request: RequestSpecification) -> RequestSpecification {
        var specification = request
        if let target {
            specification.path = target.path
            specification.query = target.query
        } else {
            let (path, query) = URLParts.split(request.path[...])
            let own = Query.raw(String(query ?? "")) + request.query
            specification.path = String(path)
            specification.query = start.replacing(with: own)
        }
        return specification
    }
}

extension PageProgress: Redacted {
    /// URLs may hold tokens.
    var shownMembers: KeyValuePairs<String, Any> { ["number": number, "items": items] }
}
