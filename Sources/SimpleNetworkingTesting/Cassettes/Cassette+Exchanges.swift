import Foundation
import SimpleNetworking

extension Cassette {
    /// A recorded request and its response or failure, with secrets hidden.
    public struct Exchange: Sendable {
        /// The method.
        public let method: HTTPMethod
        /// The URL; a URL on this machine has no port.
        public let url: String
        /// The request's header fields.
        public let headers: HTTPHeaders
        /// The request's body; nil for none.
        ///
        /// If the body isn't text, this is a description of it in parentheses.
        public let body: String?
        /// The response; nil if there was none.
        public let response: TransportResponse?
        /// The reason why there was no response.
        public let failure: NetworkFailure?
    }

    /// Reads the recorded exchanges in order, for listing or serving them.
    ///
    /// - Throws: An error that names the file, if it can't be read or is neither a cassette nor an HTTP Archive.
    public func exchanges() throws -> [Exchange] {
        try CassetteFile.read(file).exchanges.map { recorded in
            Exchange(
                method: HTTPMethod(rawValue: recorded.request.method),
                url: recorded.request.url,
                headers: CassetteFile.headers(recorded.request.headers),
                body: recorded.request.body,
                response: recorded.response?.transported,
                failure: recorded.failure
            )
        }
    }
}
