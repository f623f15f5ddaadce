import SimpleNetworkingSupport

extension SimpleNetworkingError {
    /// Describes where decoding failed, and for which type.
    public struct DecodingFailure: Error, Sendable, Described {
        /// The name of the requested type.
        public let type: String
        /// The coding path of the failure, such as `items.0.name`; empty if decoding failed for the content as a whole.
        public let codingPath: String
        /// The line number, starting at 1, if the content was read line by line; otherwise nil.
        public let line: Int?
        /// The decoder's error.
        public let underlying: any Error

        /// Creates a failure from a decoder's error.
        public init(type: Any.Type, underlying: any Error, line: Int? = nil) {
            self.type = "\(type)"
            self.underlying = underlying
            self.line = line
            codingPath = CodingFailure(underlying).path
        }

        /// The type, the location and the decoder's message.
        package var shownText: String {
            let failure = CodingFailure(underlying)
            return type + failure.place + (line.map { " in line \($0)" } ?? "") + " (\(failure.words))"
        }
    }
}
