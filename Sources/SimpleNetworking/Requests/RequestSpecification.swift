/// Holds everything that a request specifies, as one value.
struct RequestSpecification: Sendable {
    struct Header: Sendable {
        let name: String
        /// The value, or nil to remove the client's field.
        let value: String?
        var isSecret = false
    }

    var method: HTTPMethod
    var path: String
    /// The source location where the request was created.
    let fileID: StaticString
    let line: UInt
    var query = Query()
    var headers: [Header] = []
    var body = BodyContent.none
    /// The `Accept` field, unless the request or its client sets one.
    var defaultAccept = "*/*;q=0.5, application/json"
    /// The type set by `contentType(_:)`, which replaces the body's own type.
    var contentType: MediaType?
    var allowsBodyOnGet = false
    /// The draft with which an interrupted upload of the body is resumed; nil if the upload isn't resumed.
    var uploadDraft: UploadDraft?
    /// The file that stores the upload's URL for a later run of the program; nil if the URL isn't stored.
    var uploadRecord: URL?
    /// The destination for the content of a successful response.
    var destination = ContentDestination.memory
    /// The limits of an event stream; nil for any other request.
    var eventLimits: EventLimits?
    var timeout: TimeInterval?
    var deadline: TimeInterval?
    var callbackQueue: DispatchQueue?
    var retryPolicy: RetryPolicy?
    var cachePolicy: CachePolicy?
    var redirectPolicy: RedirectPolicy?
    /// Changes the request that follows a redirect.
    var changeRedirect: (@Sendable (inout RequestHead, TransportResponse) throws -> Void)?
    var acceptableStatuses: HTTPStatuses?
    /// The types that the content may have; nil for any.
    var acceptableTypes: AcceptableTypes?
    var isAuthenticated = true
    var priority = RequestPriority.normal
    var coalesces: Bool?
    /// The key that requests share if only the newest of them continues.
    var replacementKey: String?
    /// Whether each execution creates an `Idempotency-Key`.
    var makesIdempotencyKey = false
    var tags: [String: String] = [:]
    /// Changes each attempt after all other changes.
    var configure: (@Sendable (inout TransportRequest) throws -> Void)?
    /// The first invalid setting, which ends the execution.
    var mistake: SimpleNetworkingError?
}

/// Holds the limits of an event stream, which differ from those of other streams.
struct EventLimits: Sendable {
    /// The idle timeout in seconds; nil for no limit.
    var idleTimeout: TimeInterval?
}

extension RequestSpecification {
    /// Whether content may be sent from, or received into, files or streams.
    var isTransfer: Bool {
        switch body {
        case .ready(.file, _, _, _), .ready(.stream, _, _, _), .ready(.chunks, _, _, _), .multipart: true
        case .none, .ready, .encodable, .failed: !destination.isMemory || uploadDraft != nil
        }
    }

    /// Holds the members that may be, or retain, the caller's objects.
    struct Objects {
        let body: BodyContent
        let destination: ContentDestination
        let callbackQueue: DispatchQueue?
        let configure: (@Sendable (inout TransportRequest) throws -> Void)?
        let changeRedirect: (@Sendable (inout RequestHead, TransportResponse) throws -> Void)?
    }

    @inline(never)  // Inlined wherever the specification changes, it took 5 KB.
    var objects: Objects {
        Objects(
            body: body,
            destination: destination,
            callbackQueue: callbackQueue,
            configure: configure,
            changeRedirect: changeRedirect
        )
    }
}

extension [RequestSpecification.Header] {
    /// Returns whether the request sets or removes a header field.
    func names(_ field: String) -> Bool { contains { $0.name.isSameFieldName(as: field) } }
}

extension RequestSpecification: CustomStringConvertible {
    var description: String { "\(method) \(Redaction.text(ofURL: path))" }
}

/// Tracks the position in a list that is requested page by page.
struct PageProgress: Sendable {
    /// Replaces the request's own path and query.
    struct Target: Sendable {
        var path: String
        var query: Query
    }

    /// The pairs for the first page's query; the request's own pairs replace those with the same names.
    let start: Query
    /// The requested page; nil for the first page.
    var target: Target?
    /// The number of the requested page, starting at 1.
    var number = 1
    /// The number of items on the previous pages.
    var items = 0
    /// The largest total number of items that a page has named.
    var largestTotal: Int?
    /// The fields of the style that no page had so far; nil before the first page.
    var missingFields: Set<String>?
    /// The pages requested so far.
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
    /// The position without URLs, which may contain tokens.
    var shownMembers: KeyValuePairs<String, Any> { ["number": number, "items": items] }
}
