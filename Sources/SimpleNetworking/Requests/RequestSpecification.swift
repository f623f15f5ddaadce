/// Everything that a request says, as one value.
struct RequestSpecification: Sendable {
    struct Header: Sendable {
        let name: String
        /// nil removes the field that the client would send.
        let value: String?
        var isSecret = false
    }

    /// Where the request was made.
    struct Site: Sendable {
        let fileID: StaticString
        let line: UInt
    }

    var method: HTTPMethod
    var path: String
    let site: Site
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
    var tags: [String: String] = [:]
    /// Changes each attempt last.
    var configure: (@Sendable (inout TransportRequest) throws -> Void)?
    /// The first invalid setting, which ends the execution.
    var mistake: SimpleNetworkingError?
}

extension [RequestSpecification.Header] {
    /// Whether the request sets or removes a header field.
    func names(_ field: String) -> Bool { contains { $0.name.isSameFieldName(as: field) } }
}

extension RequestSpecification: CustomStringConvertible {
    var description: String { "\(method) \(Redaction.text(ofURL: path))" }
}
