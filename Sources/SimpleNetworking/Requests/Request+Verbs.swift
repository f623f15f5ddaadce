extension Request {
    /// Makes a GET request, which asks for a representation.
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

    /// Makes a HEAD request, which asks for the header fields alone.
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

    /// Makes an OPTIONS request, which asks what the target can do.
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

    /// Makes a TRACE request, which asks for what arrives of it.
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

    /// Makes a POST request, which sends content to be processed.
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

    /// Makes a PUT request, which replaces the target.
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

    /// Makes a PATCH request, which changes a part of the target.
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

    /// Makes a DELETE request, which removes the target.
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
