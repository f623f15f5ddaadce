import SimpleNetworkingSupport

// What the compiler says to code that uses a feature without importing its module, for what is most likely to be missed. Only
// this file names these modules.

/// Stands for what features declare.
///
/// Any call compiles, so that the error of the name that is missed is the only one.
@_documentation(visibility: internal)
@dynamicMemberLookup
@dynamicCallable
public struct MissingImport: Sendable, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// The value itself.
    public static let (links, linkHeader, numbers, cursor, offset, pages, items, none, perSecond, perMinute) = (
        Self(), Self(), Self(), Self(), Self(), Self(), Self(), Self(), Self(), Self()
    )

    /// Takes nothing.
    public init() {}
    /// Takes a number.
    public init(integerLiteral value: Int) {}
    /// Takes a switch.
    public init(booleanLiteral value: Bool) {}

    /// The value itself.
    public subscript(dynamicMember name: String) -> MissingImport {
        get { self }
        set {}
    }

    /// Returns the value itself.
    public func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, Any?>) -> MissingImport { self }
}

/// Stores responses.
@available(*, unavailable, message: "import SimpleNetworkingCaching")
public typealias ResponseCache = MissingImport

/// Stores and sends cookies.
@available(*, unavailable, message: "import SimpleNetworkingCookies")
public typealias CookieJar = MissingImport

/// Builds `multipart/form-data` content.
@available(*, unavailable, message: "import SimpleNetworkingForms")
public typealias Multipart = MissingImport

extension SimpleNetworking.Configuration {
    /// The cache.
    @available(*, unavailable, message: "import SimpleNetworkingCaching")
    public var cache: MissingImport? {
        get { nil }
        set {}
    }

    /// The cookie jar.
    @available(*, unavailable, message: "import SimpleNetworkingCookies")
    public var cookieJar: MissingImport? {
        get { nil }
        set {}
    }

    /// The limits on requests.
    @available(*, unavailable, message: "import SimpleNetworkingTraffic")
    public var traffic: MissingImport {
        get { MissingImport() }
        set {}
    }
}

/// Signs requests with Digest authentication.
@available(*, unavailable, message: "import SimpleNetworkingDigest")
public struct DigestAuthenticator: Authenticator {
    /// Takes what the feature takes.
    public init(user: String, password: String) {}

    /// Returns nothing.
    public func credential() -> String? { nil }

    /// Changes nothing.
    public func sign(_ request: inout TransportRequest, with credential: String) {}
}

/// Holds what handlers read.
@_documentation(visibility: internal)
public struct MissingPage<Item> {
    /// The items.
    public let items: [Item]
    /// The response.
    public let response: SimpleResponse
    /// The number.
    public let number: Int
    /// Whether there is a next one.
    public let hasNext: Bool
}

extension SimpleRequest {
    /// Sends parts as `multipart/form-data`.
    @available(*, unavailable, message: "import SimpleNetworkingForms")
    public func body(multipart parts: Any) -> Self { self }

    /// Adds a handler for each page of a list.
    @available(*, unavailable, message: "import SimpleNetworkingPagination")
    public func on<Item: Decodable & _SendableMetatype>(
        page style: MissingImport,
        of type: Item.Type = Item.self,
        at path: String? = nil,
        limit: MissingImport = .none,
        _ handler: (MissingPage<Item>) -> Bool,
        owner: AnyObject? = nil
    ) -> Self { self }

    /// Saves the content to a file.
    @available(*, unavailable, message: "import SimpleNetworkingTransfers")
    public func download(to file: URL) -> Self { self }

    /// Resumes the upload of the body.
    @available(*, unavailable, message: "import SimpleNetworkingTransfers")
    public func resumesUpload(draft: Any? = nil, record: URL? = nil) -> Self { self }
}

extension SimpleNetworking {
    /// Executes a GET request with the original library's name for `query:`.
    @available(*, unavailable, message: "write query: instead of queryParams:, or import SimpleNetworkingOriginal")
    public func get(
        _ path: String,
        queryParams: [String: String?]?,
        headers: [String: String]? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 }
    ) -> SimpleRequest { get(path) }

    /// Returns a list item by item.
    @available(*, unavailable, message: "import SimpleNetworkingPagination")
    public func items<Item: Decodable & _SendableMetatype>(
        of type: Item.Type = Item.self,
        at path: String? = nil,
        for request: SimpleRequest,
        style: MissingImport,
        limit: MissingImport = .none
    ) -> RequestSequence<Item> { RequestSequence { { nil } } }

    /// Downloads a body to a file.
    @available(*, unavailable, message: "import SimpleNetworkingTransfers")
    public func download(for request: SimpleRequest, to file: URL) async throws -> Response<URL> {
        throw CancellationError()
    }

    /// Returns the lines of a body.
    @available(*, unavailable, message: "import SimpleNetworkingTransfers")
    public func lines(for request: SimpleRequest, maxLineSize: Int = 0) -> RequestSequence<String> {
        RequestSequence { { nil } }
    }

    /// Returns the events of an event stream.
    @available(*, unavailable, message: "import SimpleNetworkingTransfers")
    public func events(
        for request: SimpleRequest,
        maxEventSize: Int = 0,
        reconnects: Bool = false,
        idleTimeout: TimeInterval? = nil
    ) -> RequestSequence<MissingImport> { RequestSequence { { nil } } }
}
