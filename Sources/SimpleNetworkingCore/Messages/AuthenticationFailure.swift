import SimpleNetworkingSupport

extension SimpleNetworkingError {
    /// Describes why a request couldn't be authenticated.
    public struct AuthenticationFailure: Error, Sendable {
        /// Tells what to do about a failure.
        public enum Kind: Sendable, Hashable {
            /// The server has refused to refresh the credential: ask the user to sign in again.
            case refused
            /// The refresh failed, for example because there was no network or the server was down: try again later.
            case refreshFailed
            /// The request's user has signed out, or another user has signed in: send a new request.
            case signedOut
            /// There is no credential that can be sent or refreshed: ask the user to sign in.
            case signInNeeded
        }

        /// The kind of the failure, which tells what to do.
        public var kind: Kind {
            switch underlying {
            case let error as any CredentialFailure: error.kind
            case let error as SimpleNetworkingError where !error.isTransient && 400 <= error.httpStatus ?? 0: .refused
            default: underlying == nil ? .signInNeeded : .refreshFailed
            }
        }

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

/// An error that tells why there is no valid credential.
package protocol CredentialFailure: Error {
    var kind: SimpleNetworkingError.AuthenticationFailure.Kind { get }
}

extension SimpleNetworkingError.AuthenticationFailure: CredentialFailure, DescribedError {
    /// The description of the `.authentication` error with this failure.
    package var shownText: String { SimpleNetworkingError.authentication(self).description }
}
