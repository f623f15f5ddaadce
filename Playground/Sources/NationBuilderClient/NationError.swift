import SimpleNetworking

/// Says what NationBuilder finds wrong, or what could not be done; a request's error carries it as `error.nation`.
public struct NationError: Error, Sendable {
    /// Names what went wrong.
    public enum Code: Int, Sendable {
        /// Something was asked for that makes no sense.
        case invalidArgument = 1
        /// The service refused, or answered something else than it should.
        case service = 10
        /// Nobody could be signed in.
        case authentication = 20
        /// There is no redirect scheme.
        case missingScheme = 21
        /// There is no browser.
        case missingBrowser = 22
        /// The credential could not be kept.
        case store = 23
        /// The user came back without signing in.
        case stopped = 24
    }

    /// The domain of the error as Foundation knows it.
    public static let domain = "com.nationbuilder"

    /// What went wrong.
    public let code: Code
    /// What went wrong, in words.
    public let description: String
    /// Why, in the server's words if it had some.
    public var failureReason: String? = "The reason is unknown."
    /// The service's own code, such as `not_found`; empty if it gave none.
    public internal(set) var serviceCode = ""
    /// The status of the answer.
    public internal(set) var httpStatus: Int?
    /// The service's message; empty if it gave none.
    public internal(set) var message = ""
    /// What the service finds wrong with what was sent, one by one.
    public internal(set) var validationErrors: [String] = []
    /// What the service says of an error behind this one.
    public internal(set) var innerError: [String: String] = [:]

    init(_ code: Code, _ description: String, reason: String? = nil) {
        self.code = code
        self.description = description
        if let reason { failureReason = reason }
    }

    /// Reads an answer: a status outside of 200...299 is an error, and a content with a code.
    init?(_ response: SimpleResponse) {
        let content = response.json
        let serviceCode = content?["code"] as? String
        guard !response.success || serviceCode != nil else { return nil }
        let name = serviceCode ?? "unknown"
        self.init(
            .service,
            response.success
                ? "The service reported the error “\(name)”."
                : "The service answered with status \(response.httpStatus) and the error “\(name)”."
        )
        httpStatus = response.httpStatus
        self.serviceCode = serviceCode ?? ""
        message = content?["message"] as? String ?? ""
        if !message.isEmpty { failureReason = message }
        validationErrors = content?["validation_errors"] as? [String] ?? []
        innerError = (content?["inner_error"] as? [String: Any])?.mapValues { "\($0)" } ?? [:]
    }

    /// Says that an answer lacks its results.
    init(missing key: String) {
        self.init(.service, "The response data is invalid.", reason: "There is no “\(key)” in it.")
    }
}

extension NationError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// What went wrong, in words.
    public var errorDescription: String? { description }
    /// What to do.
    public var recoverySuggestion: String? { "If it happens again, tell NationBuilder's support what you did." }
    /// ``domain``.
    public static var errorDomain: String { domain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// All that is known, by the names of NationBuilder's own SDK.
    public var errorUserInfo: [String: Any] {
        [
            NSLocalizedDescriptionKey: description,
            NSLocalizedFailureReasonErrorKey: failureReason ?? "",
            NSLocalizedRecoverySuggestionErrorKey: recoverySuggestion ?? "",
            "code": serviceCode,
            "NBClientErrorHTTPStatusCode": httpStatus ?? 0,
            "message": message,
            "validation_errors": validationErrors,
            "inner_error": innerError,
        ]
    }
}

extension SimpleNetworkingError {
    /// What NationBuilder found wrong, if that is why a call failed.
    public var nation: NationError? {
        switch self {
        case .failed(let error as NationError, _, _): error
        case .decoding(let failure, _): failure.underlying as? NationError
        default: nil
        }
    }
}
