import SimpleNetworkingSupport

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
    /// Whether the body may be sent in several requests, which may take any time.
    var isSentInParts = false
    /// The destination for the content of a successful response.
    var destination = ContentDestination.memory
    var timeout: TimeInterval?
    var deadline: TimeInterval?
    var callbackQueue: DispatchQueue?
    var retryPolicy: RetryPolicy?
    var redirectPolicy: RedirectPolicy?
    /// Changes the request that follows a redirect.
    var changeRedirect: (@Sendable (inout RequestHead, TransportResponse) throws -> Void)?
    var acceptableStatuses: HTTPStatuses?
    /// The types that the content may have; nil for any.
    var acceptableTypes: AcceptableTypes?
    var isAuthenticated = true
    /// The key that requests share if only the newest of them continues.
    var replacementKey: String?
    /// Whether each execution creates an `Idempotency-Key`.
    var makesIdempotencyKey = false
    var tags: [String: String] = [:]
    /// The options that other modules have added.
    var options = Options()
    /// The middleware of this request alone.
    var middleware: [any Middleware] = []
    /// Changes each attempt after all other changes.
    var configure: (@Sendable (inout TransportRequest) throws -> Void)?
    /// The first invalid setting, which ends the execution.
    var mistake: SimpleNetworkingError?
}

extension RequestSpecification {
    /// Whether content may be sent from, or received into, files or streams.
    var isTransfer: Bool {
        switch body {
        case .ready(.file, _, _, _), .ready(.stream, _, _, _), .ready(.chunks, _, _, _), .source: true
        case .none, .ready, .encodable, .failed: !destination.isMemory || isSentInParts
        }
    }

    /// Holds the members that may be, or retain, the caller's objects.
    struct Objects {
        let body: BodyContent
        let destination: ContentDestination
        let callbackQueue: DispatchQueue?
        let configure: (@Sendable (inout TransportRequest) throws -> Void)?
        let changeRedirect: (@Sendable (inout RequestHead, TransportResponse) throws -> Void)?
        let options: Options
    }

    @inline(never)  // Inlined wherever the specification changes, it took 5 KB.
    var objects: Objects {
        Objects(
            body: body,
            destination: destination,
            callbackQueue: callbackQueue,
            configure: configure,
            changeRedirect: changeRedirect,
            options: options
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
