import SimpleNetworking

/// An error of NationBuilder or of this client; a request's error has it as `error.nation`.
public struct NationError: Error, Sendable {
    /// The kind of an error.
    public enum Code: Int, Sendable {
        /// An argument is invalid.
        case invalidArgument = 1
        /// The service rejected the request, or its response is not as expected.
        case service = 10
        /// The sign-in failed.
        case authentication = 20
        /// There is no redirect scheme.
        case missingScheme = 21
        /// There is no browser.
        case missingBrowser = 22
        /// The credential could not be stored.
        case store = 23
        /// The user came back without signing in.
        case stopped = 24
    }

    /// The domain of the error as an `NSError`.
    public static let domain = "com.nationbuilder"

    /// The kind of the error.
    public let code: Code
    /// The error, as text.
    public let description: String
    /// The reason, in the server's words if it sent any.
    public var failureReason: String? = "The reason is unknown."
    /// The service's own code, such as `not_found`; empty if it gave none.
    public internal(set) var serviceCode = ""
    /// The status of the response.
    public internal(set) var httpStatus: Int?
    /// The service's message; empty if it gave none.
    public internal(set) var message = ""
    /// The problems that the service found in the request.
    public internal(set) var validationErrors: [String] = []
    /// The service's description of the underlying error.
    public internal(set) var innerError: [String: String] = [:]

    init(_ code: Code, _ description: String, reason: String? = nil) {
        self.code = code
        self.description = description
        if let reason { failureReason = reason }
    }

    /// Reads a response: a status outside of 200...299 is an error, and so is content with a code.
    init?(_ response: SimpleResponse) {
        let content = response.json
        let serviceCode = content?["code"] as? String
        guard !response.isSuccess || serviceCode != nil else { return nil }
        let name = serviceCode ?? "unknown"
        self.init(
            .service,
            response.isSuccess
                ? "The service reported the error “\(name)”."
                : "The service responded with status \(response.httpStatus) and the error “\(name)”."
        )
        httpStatus = response.httpStatus
        self.serviceCode = serviceCode ?? ""
        message = content?["message"] as? String ?? ""
        if !message.isEmpty { failureReason = message }
        validationErrors = content?["validation_errors"] as? [String] ?? []
        innerError = (content?["inner_error"] as? [String: Any])?.mapValues { "\($0)" } ?? [:]
    }

    /// Says that a response lacks its results.
    init(missing key: String) {
        self.init(.service, "The response data is invalid.", reason: "There is no “\(key)” in it.")
    }
}

extension NationError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// The error, as text.
    public var errorDescription: String? { description }
    /// What to do.
    public var recoverySuggestion: String? { "If it happens again, tell NationBuilder's support what you did." }
    /// ``domain``.
    public static var errorDomain: String { domain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// All values, by the names of NationBuilder's own SDK.
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
    /// NationBuilder's error, if that is why a call failed.
    public var nation: NationError? {
        switch self {
        case .failed(let error as NationError, _, _): error
        case .decoding(let failure, _): failure.underlying as? NationError
        default: nil
        }
    }
}
