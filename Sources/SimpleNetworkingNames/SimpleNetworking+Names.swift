// swift-format-ignore-file: NoLeadingUnderscores, AllPublicDeclarationsHaveDocumentation

// Names that clash, as members of the class. They are a product of their own: a subclass inherits them, and its author's
// own `Page` would no longer be the one that is meant there.

import SimpleNetworking

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
    /// Names the client's `Authenticator` where another type has that name.
    public typealias Authenticator = _Authenticator
    /// Names the client's `Backoff` where another type has that name.
    public typealias Backoff = _Backoff
    /// Names the client's `CachePolicy` where another type has that name.
    public typealias CachePolicy = _CachePolicy
    /// Names the client's `Cookie` where another type has that name.
    public typealias Cookie = _Cookie
    /// Names the client's `CookieJar` where another type has that name.
    public typealias CookieJar = _CookieJar
    /// Names the client's `EventMonitor` where another type has that name.
    public typealias EventMonitor = _EventMonitor
    /// Names the client's `HTTPHeaders` where another type has that name.
    public typealias HTTPHeaders = _HTTPHeaders
    /// Names the client's `HTTPMethod` where another type has that name.
    public typealias HTTPMethod = _HTTPMethod
    /// Names the client's `HTTPStatuses` where another type has that name.
    public typealias HTTPStatuses = _HTTPStatuses
    /// Names the client's `LogLevel` where another type has that name.
    public typealias LogLevel = _LogLevel
    /// Names the client's `MediaType` where another type has that name.
    public typealias MediaType = _MediaType
    /// Names the client's `Middleware` where another type has that name.
    public typealias Middleware = _Middleware
    /// Names the client's `Multipart` where another type has that name.
    public typealias Multipart = _Multipart
    /// Names the client's `NetworkFailure` where another type has that name.
    public typealias NetworkFailure = _NetworkFailure
    /// Names the client's `Origin` where another type has that name.
    public typealias Origin = _Origin
    /// Names the client's `Page` where another type has that name.
    public typealias Page<Item> = _Page<Item>
    /// Names the client's `Query` where another type has that name.
    public typealias Query = _Query
    /// Names the client's `Request` where another type has that name.
    public typealias Request<Value> = _Request<Value>
    /// Names the client's `RequestBody` where another type has that name.
    public typealias RequestBody = _RequestBody
    /// Names the client's `RequestEvent` where another type has that name.
    public typealias RequestEvent = _RequestEvent
    /// Names the client's `RequestLogger` where another type has that name.
    public typealias RequestLogger = _RequestLogger
    /// Names the client's `Response` where another type has that name.
    public typealias Response<Value> = _Response<Value>
    /// Names the client's `ResponseCache` where another type has that name.
    public typealias ResponseCache = _ResponseCache
    /// Names the client's `ResponseDecoder` where another type has that name.
    public typealias ResponseDecoder = _ResponseDecoder
    /// Names the client's `RetryPolicy` where another type has that name.
    public typealias RetryPolicy = _RetryPolicy
    /// Names the client's `Secret` where another type has that name.
    public typealias Secret = _Secret
    /// Names the client's `ServerSentEvent` where another type has that name.
    public typealias ServerSentEvent = _ServerSentEvent
    /// Names the client's `Transport` where another type has that name.
    public typealias Transport = _Transport
}
