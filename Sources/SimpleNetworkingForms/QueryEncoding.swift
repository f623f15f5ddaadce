import SimpleNetworkingFeatureSupport

extension Query {
    /// Specifies how nested values, dates and Booleans are encoded in a query or a form.
    public struct Encoding: Sendable {
        /// Specifies how array elements are named.
        public enum Arrays: Sendable {
            /// `tag=a&tag=b`
            case repeated
            /// `tag[]=a&tag[]=b`
            case brackets
            /// `tag[0]=a&tag[1]=b`
            case indices
        }

        /// Specifies how nested properties are named.
        public enum Keys: Sendable {
            /// `user[name]=Ada`
            case brackets
            /// `user.name=Ada`
            case dots
        }

        /// Specifies how dates are written.
        public enum Dates: Sendable {
            /// `2026-11-21T05:17:27Z`, or `2026-11-21T05:17:27.250Z` if the date has milliseconds.
            case iso8601
            /// The number of seconds since 1970.
            case seconds
            /// The number of milliseconds since 1970.
            case milliseconds
            /// The result of the date's own `encode(to:)`, which is the number of seconds since 2001.
            case deferred
            /// The string that a closure returns, for example, with a `DateFormatter`.
            case custom(@Sendable (Date) throws -> String)
        }

        /// Specifies how Booleans are written.
        public enum Booleans: Sendable {
            /// `true` and `false`
            case words
            /// `1` and `0`
            case numbers
        }

        /// Specifies how nil is written.
        public enum Nils: Sendable {
            /// Nil values are omitted.
            case omitted
            /// `name=`
            case empty
            /// `name=null`
            case null
        }

        /// The naming of array elements; the default is `.repeated`.
        public var arrays = Arrays.repeated
        /// The naming of nested properties; the default is `.brackets`.
        public var keys = Keys.brackets
        /// The format of dates; the default is `.iso8601`.
        public var dates = Dates.iso8601
        /// The format of Booleans; the default is `.words`.
        public var booleans = Booleans.words
        /// The format of nil values; the default is `.omitted`.
        public var nils = Nils.omitted

        /// Creates the default encoding.
        public init() {}
    }

    /// Creates a query from the properties of the given value, in the order in which the value encodes them.
    ///
    /// ```swift
    /// struct Search: Encodable {
    ///     var text: String
    ///     var tags: [String]
    /// }
    /// let query = try Query(encoding: Search(text: "tea", tags: ["green", "hot"])) { $0.arrays = .brackets }
    /// ```
    ///
    /// The query is `text=tea&tags[]=green&tags[]=hot`, with the brackets percent-encoded. You can also pass a query
    /// to `body(form:)`.
    ///
    /// - Parameters:
    ///   - value: A value with properties, or a dictionary. The keys of a dictionary are sorted. `Data` is sent as
    ///     Base64.
    ///   - configure: A closure that changes the encoding.
    /// - Throws: `EncodingError` if the value has no named properties (for example, a number or an array), or any error
    ///   that the value throws.
    public init(encoding value: some Encodable, configure: (inout Encoding) -> Void = { _ in }) throws {
        var encoding = Encoding()
        configure(&encoding)
        let pairs = QueryEncoder.Pairs()
        try QueryEncoder(encoding: encoding, pairs: pairs).encode(value)
        self.init(pairs.all.map { ($0.name, $0.value) })
    }
}
