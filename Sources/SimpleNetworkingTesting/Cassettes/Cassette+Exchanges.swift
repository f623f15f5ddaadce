import Foundation
import SimpleNetworkingCore

extension Cassette {
    /// A recorded request and its response or failure, with secrets hidden.
    public struct Exchange: Sendable {
        /// The request's method.
        public let method: HTTPMethod
        /// The request's URL, without the port if the server is on this machine.
        public let url: String
        /// The request's header fields.
        public let headers: HTTPHeaders
        /// The request's body, or nil if there is none.
        ///
        /// If the body isn't text, this property is a description of the body in parentheses.
        public let body: String?
        /// The complete response, or nil if there was none.
        public let response: TransportResponse?
        /// The reason why there was no complete response, or nil if there was one.
        public let failure: NetworkFailure?
    }

    /// Reads the recorded exchanges in order, for listing or serving them.
    ///
    /// - Throws: An error that names the file, if the file can't be read or is neither a cassette nor an HTTP Archive.
    public func exchanges() throws -> [Exchange] {
        try CassetteFile.read(file).exchanges.map { recorded in
            Exchange(
                method: HTTPMethod(rawValue: recorded.request.method),
                url: recorded.request.url,
                headers: CassetteFile.headers(recorded.request.headers),
                body: recorded.request.body,
                response: recorded.failure == nil ? recorded.response?.transported : nil,
                failure: recorded.failure
            )
        }
    }
}
