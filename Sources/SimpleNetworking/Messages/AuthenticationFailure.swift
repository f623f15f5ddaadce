extension SimpleNetworkingError {
    /// Describes why a request couldn't be authenticated.
    public struct AuthenticationFailure: Error, Sendable {
        /// A description of the problem.
        public let reason: String
        /// The error thrown by the code that creates or refreshes credentials, if any.
        public let underlying: (any Error)?
        /// The request; nil if the failure occurred before the client created the request.
        public let request: RequestHead?
        /// The response that rejected the credential, if any.
        public let response: SimpleResponse?

        /// Creates a failure.
        public init(
            reason: String,
            underlying: (any Error)? = nil,
            request: RequestHead? = nil,
            response: SimpleResponse? = nil
        ) {
            self.reason = reason
            self.underlying = underlying
            self.request = request
            self.response = response
        }

        /// Creates a failure for a credential that couldn't be created or refreshed.
        init(refresh error: any Error, request: RequestHead?, response: SimpleResponse?) {
            let ownReason = (error as? AuthenticationFailure)?.reason
            let reason = ownReason ?? "there is no valid credential: \(error.words)"
            self.init(reason: reason, underlying: error, request: request, response: response)
        }
    }
}
