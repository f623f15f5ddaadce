// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The names that Get and Alamofire share with the client.

public struct Request<Response> {
    public init() {}
}

public struct Response<Value> {
    public init() {}
}

public struct HTTPMethod {
    public init() {}
}

public struct HTTPHeaders {
    public init() {}
}

public struct RetryPolicy {
    public init() {}
}

public protocol Authenticator {}
public protocol EventMonitor {}
