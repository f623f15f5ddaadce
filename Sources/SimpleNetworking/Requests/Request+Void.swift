/// Requests whose content nobody wants: what a request is when nothing says otherwise.
extension Request where Response == Void {
    /// Makes a request whose content nobody wants, for a path below the base URL or an absolute address.
    public init(
        path: String,
        method: HTTPMethod = .get,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) {
        self.init(path, method, query, body, headers, id)
    }

    /// Makes a request whose content nobody wants, for an address.
    public init(
        url: URL,
        method: HTTPMethod = .get,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) {
        self.init(url.absoluteString, method, query, body, headers, id)
    }

    /// Makes a GET request, which asks for a representation, whose content nobody wants.
    public static func get(
        _ path: String,
        query: [(String, String?)]? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        Request(
            path: path,
            method: .get,
            query: query,
            headers: headers,
            id: id
        )
    }

    /// Makes a HEAD request, which asks for the header fields alone, whose content nobody wants.
    public static func head(
        _ path: String,
        query: [(String, String?)]? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        Request(
            path: path,
            method: .head,
            query: query,
            headers: headers,
            id: id
        )
    }

    /// Makes an OPTIONS request, which asks what the target can do, whose content nobody wants.
    public static func options(
        _ path: String,
        query: [(String, String?)]? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        Request(
            path: path,
            method: .options,
            query: query,
            headers: headers,
            id: id
        )
    }

    /// Makes a TRACE request, which asks for what arrives of it, whose content nobody wants.
    public static func trace(
        _ path: String,
        query: [(String, String?)]? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        Request(
            path: path,
            method: .trace,
            query: query,
            headers: headers,
            id: id
        )
    }

    /// Makes a POST request, which sends content to be processed, whose content nobody wants.
    public static func post(
        _ path: String,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        Request(
            path: path,
            method: .post,
            query: query,
            body: body,
            headers: headers,
            id: id
        )
    }

    /// Makes a PUT request, which replaces the target, whose content nobody wants.
    public static func put(
        _ path: String,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        Request(
            path: path,
            method: .put,
            query: query,
            body: body,
            headers: headers,
            id: id
        )
    }

    /// Makes a PATCH request, which changes a part of the target, whose content nobody wants.
    public static func patch(
        _ path: String,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        Request(
            path: path,
            method: .patch,
            query: query,
            body: body,
            headers: headers,
            id: id
        )
    }

    /// Makes a DELETE request, which removes the target, whose content nobody wants.
    public static func delete(
        _ path: String,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        Request(
            path: path,
            method: .delete,
            query: query,
            body: body,
            headers: headers,
            id: id
        )
    }
}
