// What the compiler says to code that uses a feature without importing its module. Only files with this name name these modules.

/// Stores responses.
@available(*, unavailable, message: "import SimpleNetworkingCaching")
public final class ResponseCache: Sendable {
    /// Takes what the feature takes.
    public init() {}

    /// Returns nothing.
    public static func shared(named name: String) -> ResponseCache? { nil }
}

extension SimpleNetworking.Configuration {
    /// The cache.
    @available(*, unavailable, message: "import SimpleNetworkingCaching")
    public var cache: Any? {
        get { nil }
        set {}
    }
}

/// Stores and sends cookies.
@available(*, unavailable, message: "import SimpleNetworkingCookies")
public final class CookieJar: Sendable {
    /// Takes what the feature takes.
    public init() {}
}

extension SimpleNetworking.Configuration {
    /// The cookie jar.
    @available(*, unavailable, message: "import SimpleNetworkingCookies")
    public var cookieJar: Any? {
        get { nil }
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

/// Builds `multipart/form-data` content.
///
/// Any call compiles, so that the name's own error is the only one.
@available(*, unavailable, message: "import SimpleNetworkingForms")
@dynamicMemberLookup
@dynamicCallable
public struct Multipart {
    /// Takes what the feature takes.
    public init(boundary: String? = nil) {}

    /// Returns the form itself.
    public subscript(dynamicMember name: String) -> Multipart { self }

    /// Returns the form itself.
    public func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, Any>) -> Multipart { self }
}

extension SimpleRequest {
    /// Sends parts as `multipart/form-data`.
    @available(*, unavailable, message: "import SimpleNetworkingForms")
    public func body(multipart parts: Any) -> Self { self }
}

extension Query {
    /// Creates a query from the properties of a value.
    @available(*, unavailable, message: "import SimpleNetworkingForms")
    public init(encoding value: some Encodable) throws { self.init() }
}

/// Finds the next page in a response.
///
/// Any call compiles, so that the error of what takes the style is the only one.
@available(*, unavailable, message: "import SimpleNetworkingPagination")
@dynamicCallable
public struct PaginationStyle: Sendable {
    /// The style, or the limit, itself.
    public static let (links, linkHeader, numbers, cursor, offset, pages, items, none) = (
        Self(), Self(), Self(), Self(), Self(), Self(), Self(), Self()
    )

    /// Returns the style itself.
    public func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, Any?>) -> PaginationStyle { self }
}

/// Holds what handlers read.
@available(*, unavailable, message: "import SimpleNetworkingPagination")
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
    /// Adds a handler for each page of a list.
    @available(*, unavailable, message: "import SimpleNetworkingPagination")
    public func on<Item: Decodable & _SendableMetatype>(
        page style: PaginationStyle,
        of type: Item.Type = Item.self,
        at path: String? = nil,
        limit: PaginationStyle = .none,
        _ handler: (MissingPage<Item>) -> Bool,
        owner: AnyObject? = nil
    ) -> Self { self }
}

extension SimpleNetworking {
    /// Returns a list page by page.
    @available(*, unavailable, message: "import SimpleNetworkingPagination")
    public func pages<Item: Decodable & _SendableMetatype>(
        of type: Item.Type = Item.self,
        at path: String? = nil,
        for request: SimpleRequest,
        style: PaginationStyle,
        limit: PaginationStyle = .none
    ) -> RequestSequence<MissingPage<Item>> { RequestSequence { { nil } } }

    /// Returns a list item by item.
    @available(*, unavailable, message: "import SimpleNetworkingPagination")
    public func items<Item: Decodable & _SendableMetatype>(
        of type: Item.Type = Item.self,
        at path: String? = nil,
        for request: SimpleRequest,
        style: PaginationStyle,
        limit: PaginationStyle = .none
    ) -> RequestSequence<Item> { RequestSequence { { nil } } }
}

extension SimpleResponse {
    /// Returns the URL of a link.
    @available(*, unavailable, message: "import SimpleNetworkingPagination")
    public func link(_ relation: String) -> URL? { nil }
}

/// Limits the rate of requests.
@available(*, unavailable, message: "import SimpleNetworkingTraffic")
public struct RequestRate: Sendable {
    /// Returns a limit.
    public static func perSecond(_ count: Double, burst: Int = 1) -> RequestRate { Self() }
    /// Returns a limit.
    public static func perMinute(_ count: Double, burst: Int = 1) -> RequestRate { Self() }
}

/// Limits the number and the rate of requests.
@available(*, unavailable, message: "import SimpleNetworkingTraffic")
public struct TrafficRules: Sendable {
    /// The rules, which limit nothing.
    public var (inFlight, inFlightPerOrigin, maxWaiting): (Int?, Int?, Int) = (nil, nil, 0)
    /// The rate.
    public var rate: RequestRate?
    /// The switches.
    public var (heedsServer, coalesces, waitsForConnectivity) = (false, false, false)
    /// The time.
    public var maxServerWait: TimeInterval = 0

    /// Takes what the feature takes.
    public init() {}
}

/// Limits the share of requests that may be retries.
@available(*, unavailable, message: "import SimpleNetworkingTraffic")
public final class RetryAllowance: Sendable {
    /// Takes what the feature takes.
    public init(share: Double = 0, perSecond: Double = 0) {}
}

/// Stops sending requests to a server that fails too often.
@available(*, unavailable, message: "import SimpleNetworkingTraffic")
public final class CircuitBreaker: Middleware {
    /// Takes what the feature takes.
    public init(failureShare: Double = 0, minimumCalls: Int = 0, window: TimeInterval = 0, openTime: TimeInterval = 0) {
    }

    /// Passes the request on.
    public func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        try await next(request)
    }
}

/// Sends a request a second time if its response stalls.
@available(*, unavailable, message: "import SimpleNetworkingTraffic")
public final class Hedging: Middleware {
    /// Takes what the feature takes.
    public init(after seconds: TimeInterval, share: Double = 0) {}

    /// Passes the request on.
    public func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        try await next(request)
    }
}

/// Orders the requests that wait.
@available(*, unavailable, message: "import SimpleNetworkingTraffic")
public enum RequestPriority: Sendable {
    /// The priorities.
    case low, normal, high
}

extension SimpleNetworking.Configuration {
    /// The limits on requests.
    @available(*, unavailable, message: "import SimpleNetworkingTraffic")
    public var traffic: TrafficRules {
        get { TrafficRules() }
        set {}
    }

    /// The limit on retries.
    @available(*, unavailable, message: "import SimpleNetworkingTraffic")
    public var retryAllowance: RetryAllowance? {
        get { nil }
        set {}
    }
}

extension SimpleRequest {
    /// Sets the priority of the request.
    @available(*, unavailable, message: "import SimpleNetworkingTraffic")
    @discardableResult public func priority(_ priority: RequestPriority) -> Self { self }

    /// Sets whether the request may share a transfer.
    @available(*, unavailable, message: "import SimpleNetworkingTraffic")
    @discardableResult public func coalesced(_ coalesces: Bool = true) -> Self { self }
}
