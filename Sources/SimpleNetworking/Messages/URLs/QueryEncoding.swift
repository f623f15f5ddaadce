extension Query {
    /// Describes how a server expects nested values, dates and Booleans in a query or a form.
    public struct Encoding: Sendable {
        /// How the elements of an array are named.
        public enum Arrays: Sendable {
            /// `tag=a&tag=b`
            case repeated
            /// `tag[]=a&tag[]=b`
            case brackets
            /// `tag[0]=a&tag[1]=b`
            case indices
        }

        /// How the properties of a property are named.
        public enum Keys: Sendable {
            /// `user[name]=Ada`
            case brackets
            /// `user.name=Ada`
            case dots
        }

        /// How dates are written.
        public enum Dates: Sendable {
            /// `2026-11-21T05:17:27Z`
            case iso8601
            /// The seconds since 1970.
            case seconds
            /// The milliseconds since 1970.
            case milliseconds
            /// By the date's own `encode(to:)`: the seconds since 2001.
            case deferred
            /// By a function, such as one that uses a `DateFormatter`.
            case custom(@Sendable (Date) throws -> String)
        }

        /// How Booleans are written.
        public enum Booleans: Sendable {
            /// `true` and `false`
            case words
            /// `1` and `0`
            case numbers
        }

        /// How nil is written.
        public enum Nils: Sendable {
            /// Not at all.
            case omitted
            /// `name=`
            case empty
            /// `name=null`
            case null
        }

        /// How the elements of an array are named; the default is `.repeated`.
        public var arrays = Arrays.repeated
        /// How the properties of a property are named; the default is `.brackets`.
        public var keys = Keys.brackets
        /// How dates are written; the default is `.iso8601`.
        public var dates = Dates.iso8601
        /// How Booleans are written; the default is `.words`.
        public var booleans = Booleans.words
        /// How nil is written; the default is `.omitted`.
        public var nils = Nils.omitted

        /// Creates the default encoding.
        public init() {}
    }

    /// Creates a query from the properties of a value, in the order in which the value encodes them.
    ///
    /// ```swift
    /// struct Search: Encodable {
    ///     var text: String
    ///     var tags: [String]
    /// }
    /// let query = try Query(encoding: Search(text: "tea", tags: ["green", "hot"])) { $0.arrays = .brackets }
    /// ```
    ///
    /// The query is `text=tea&tags[]=green&tags[]=hot`, with the brackets percent-encoded. `body(form:)` takes a query,
    /// too.
    ///
    /// - Parameters:
    ///   - value: A value with properties, or a dictionary, whose names are sorted. `Data` is sent as Base64.
    ///   - configure: Changes the encoding.
    /// - Throws: `EncodingError` if the value has no names, as a number or an array, and errors of its own.
    public init(encoding value: some Encodable, configure: (inout Encoding) -> Void = { _ in }) throws {
        var encoding = Encoding()
        configure(&encoding)
        let pairs = QueryEncoder.Pairs()
        try QueryEncoder(encoding: encoding, pairs: pairs).encode(value)
        self.init(pairs.all.map { ($0.name, $0.value) })
    }
}
