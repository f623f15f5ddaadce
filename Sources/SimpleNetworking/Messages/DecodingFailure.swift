extension SimpleNetworkingError {
    /// Names the type that content could not be decoded to, and the place of the failure.
    public struct DecodingFailure: Error, Sendable, Described {
        /// The requested type.
        public let type: String
        /// The keys that lead to the failure, such as `items.0.name`; empty for the whole content.
        public let codingPath: String
        /// The number of the line, from 1, if the content came line by line; else nil.
        public let line: Int?
        /// The decoder's own error.
        public let underlying: any Error

        /// Creates a failure from a decoder's error.
        public init(type: Any.Type, underlying: any Error, line: Int? = nil) {
            self.type = "\(type)"
            self.underlying = underlying
            self.line = line
            codingPath = CodingFailure(underlying).path
        }

        /// The type, the place and the decoder's words.
        var shownText: String {
            let failure = CodingFailure(underlying)
            return type + failure.place + (line.map { " in line \($0)" } ?? "") + " (\(failure.words))"
        }
    }
}
