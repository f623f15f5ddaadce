import Foundation
import SimpleNetworking

extension Cassette {
    /// Holds one recorded request and what came back, with secrets hidden.
    public struct Exchange: Sendable {
        /// The method.
        public let method: HTTPMethod
        /// The URL; one of this machine has no port.
        public let url: String
        /// The request's header fields.
        public let headers: HTTPHeaders
        /// The request's body, or in parentheses what is known of one that is no text; nil for none.
        public let body: String?
        /// The response; nil if there was none.
        public let response: TransportResponse?
        /// Why there was no response.
        public let failure: NetworkFailure?
    }

    /// Reads what the file has recorded, in order, for listing or serving it.
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
