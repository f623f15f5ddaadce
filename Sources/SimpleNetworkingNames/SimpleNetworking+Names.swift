// swift-format-ignore-file: NoLeadingUnderscores, AllPublicDeclarationsHaveDocumentation

// Names that clash, as members of the class. They are a product of their own: a subclass inherits them, and its author's
// own `Page` would no longer be the one that is meant there.

import SimpleNetworkingAll

// Within the class, a name means the member itself, so the underlined ones come between.
public typealias _Authenticator = Authenticator
public typealias _Backoff = Backoff
public typealias _CachePolicy = CachePolicy
public typealias _Cookie = Cookie
public typealias _CookieJar = CookieJar
public typealias _EventMonitor = EventMonitor
public typealias _HTTPHeaders = HTTPHeaders
public typealias _HTTPMethod = HTTPMethod
public typealias _HTTPStatuses = HTTPStatuses
public typealias _LogLevel = LogLevel
public typealias _MediaType = MediaType
public typealias _Middleware = Middleware
public typealias _Multipart = Multipart
public typealias _NetworkFailure = NetworkFailure
public typealias _Origin = Origin
public typealias _Page<Item> = Page<Item>
public typealias _Query = Query
public typealias _Request<Value> = Request<Value>
public typealias _RequestBody = RequestBody
public typealias _RequestEvent = RequestEvent
public typealias _RequestLogger = RequestLogger
public typealias _Response<Value> = Response<Value>
public typealias _ResponseCache = ResponseCache
public typealias _ResponseDecoder = ResponseDecoder
public typealias _RetryPolicy = RetryPolicy
public typealias _Secret = Secret
public typealias _ServerSentEvent = ServerSentEvent
public typealias _Transport = Transport

extension SimpleNetworking {
    /// An alias for the client's `Authenticator`, for code in which another type has the same name.
    public typealias Authenticator = _Authenticator
    /// An alias for the client's `Backoff`, for code in which another type has the same name.
    public typealias Backoff = _Backoff
    /// An alias for the client's `CachePolicy`, for code in which another type has the same name.
    public typealias CachePolicy = _CachePolicy
    /// An alias for the client's `Cookie`, for code in which another type has the same name.
    public typealias Cookie = _Cookie
    /// An alias for the client's `CookieJar`, for code in which another type has the same name.
    public typealias CookieJar = _CookieJar
    /// An alias for the client's `EventMonitor`, for code in which another type has the same name.
    public typealias EventMonitor = _EventMonitor
    /// An alias for the client's `HTTPHeaders`, for code in which another type has the same name.
    public typealias HTTPHeaders = _HTTPHeaders
    /// An alias for the client's `HTTPMethod`, for code in which another type has the same name.
    public typealias HTTPMethod = _HTTPMethod
    /// An alias for the client's `HTTPStatuses`, for code in which another type has the same name.
    public typealias HTTPStatuses = _HTTPStatuses
    /// An alias for the client's `LogLevel`, for code in which another type has the same name.
    public typealias LogLevel = _LogLevel
    /// An alias for the client's `MediaType`, for code in which another type has the same name.
    public typealias MediaType = _MediaType
    /// An alias for the client's `Middleware`, for code in which another type has the same name.
    public typealias Middleware = _Middleware
    /// An alias for the client's `Multipart`, for code in which another type has the same name.
    public typealias Multipart = _Multipart
    /// An alias for the client's `NetworkFailure`, for code in which another type has the same name.
    public typealias NetworkFailure = _NetworkFailure
    /// An alias for the client's `Origin`, for code in which another type has the same name.
    public typealias Origin = _Origin
    /// An alias for the client's `Page`, for code in which another type has the same name.
    public typealias Page<Item> = _Page<Item>
    /// An alias for the client's `Query`, for code in which another type has the same name.
    public typealias Query = _Query
    /// An alias for the client's `Request`, for code in which another type has the same name.
    public typealias Request<Value> = _Request<Value>
    /// An alias for the client's `RequestBody`, for code in which another type has the same name.
    public typealias RequestBody = _RequestBody
    /// An alias for the client's `RequestEvent`, for code in which another type has the same name.
    public typealias RequestEvent = _RequestEvent
    /// An alias for the client's `RequestLogger`, for code in which another type has the same name.
    public typealias RequestLogger = _RequestLogger
    /// An alias for the client's `Response`, for code in which another type has the same name.
    public typealias Response<Value> = _Response<Value>
    /// An alias for the client's `ResponseCache`, for code in which another type has the same name.
    public typealias ResponseCache = _ResponseCache
    /// An alias for the client's `ResponseDecoder`, for code in which another type has the same name.
    public typealias ResponseDecoder = _ResponseDecoder
    /// An alias for the client's `RetryPolicy`, for code in which another type has the same name.
    public typealias RetryPolicy = _RetryPolicy
    /// An alias for the client's `Secret`, for code in which another type has the same name.
    public typealias Secret = _Secret
    /// An alias for the client's `ServerSentEvent`, for code in which another type has the same name.
    public typealias ServerSentEvent = _ServerSentEvent
    /// An alias for the client's `Transport`, for code in which another type has the same name.
    public typealias Transport = _Transport
}
