/// The typed verbs for a dictionary of unlike values: `["page": 2, "tag": nil]`.
///
/// They are apart from those for pairs, which generated code calls.
extension Request {
    /// Makes a GET request, which asks for a representation; its query is sent sorted by name.
    public static func get(
        _ path: String,
        query: [String: (any QueryValue)?],
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        get(path, query: query.pairs, headers: headers, id: id)
    }

    /// Makes a HEAD request, which asks for the header fields alone; its query is sent sorted by name.
    public static func head(
        _ path: String,
        query: [String: (any QueryValue)?],
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        head(path, query: query.pairs, headers: headers, id: id)
    }

    /// Makes an OPTIONS request, which asks what the target can do; its query is sent sorted by name.
    public static func options(
        _ path: String,
        query: [String: (any QueryValue)?],
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        options(path, query: query.pairs, headers: headers, id: id)
    }

    /// Makes a TRACE request, which asks for what arrives of it; its query is sent sorted by name.
    public static func trace(
        _ path: String,
        query: [String: (any QueryValue)?],
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        trace(path, query: query.pairs, headers: headers, id: id)
    }

    /// Makes a POST request, which sends content to be processed; its query is sent sorted by name.
    public static func post(
        _ path: String,
        query: [String: (any QueryValue)?],
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        post(path, query: query.pairs, body: body, headers: headers, id: id)
    }

    /// Makes a PUT request, which replaces the target; its query is sent sorted by name.
    public static func put(
        _ path: String,
        query: [String: (any QueryValue)?],
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        put(path, query: query.pairs, body: body, headers: headers, id: id)
    }

    /// Makes a PATCH request, which changes a part of the target; its query is sent sorted by name.
    public static func patch(
        _ path: String,
        query: [String: (any QueryValue)?],
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        patch(path, query: query.pairs, body: body, headers: headers, id: id)
    }

    /// Makes a DELETE request, which removes the target; its query is sent sorted by name.
    public static func delete(
        _ path: String,
        query: [String: (any QueryValue)?],
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        delete(path, query: query.pairs, body: body, headers: headers, id: id)
    }
}

extension Request where Response == Void {
    /// Makes a GET request, which asks for a representation, whose content nobody wants; its query is sent sorted by name.
    public static func get(
        _ path: String,
        query: [String: (any QueryValue)?],
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        get(path, query: query.pairs, headers: headers, id: id)
    }

    /// Makes a HEAD request, which asks for the header fields alone, whose content nobody wants; its query is sent sorted by name.
    public static func head(
        _ path: String,
        query: [String: (any QueryValue)?],
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        head(path, query: query.pairs, headers: headers, id: id)
    }

    /// Makes an OPTIONS request, which asks what the target can do, whose content nobody wants; its query is sent sorted by name.
    public static func options(
        _ path: String,
        query: [String: (any QueryValue)?],
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        options(path, query: query.pairs, headers: headers, id: id)
    }

    /// Makes a TRACE request, which asks for what arrives of it, whose content nobody wants; its query is sent sorted by name.
    public static func trace(
        _ path: String,
        query: [String: (any QueryValue)?],
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        trace(path, query: query.pairs, headers: headers, id: id)
    }

    /// Makes a POST request, which sends content to be processed, whose content nobody wants; its query is sent sorted by name.
    public static func post(
        _ path: String,
        query: [String: (any QueryValue)?],
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        post(path, query: query.pairs, body: body, headers: headers, id: id)
    }

    /// Makes a PUT request, which replaces the target, whose content nobody wants; its query is sent sorted by name.
    public static func put(
        _ path: String,
        query: [String: (any QueryValue)?],
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        put(path, query: query.pairs, body: body, headers: headers, id: id)
    }

    /// Makes a PATCH request, which changes a part of the target, whose content nobody wants; its query is sent sorted by name.
    public static func patch(
        _ path: String,
        query: [String: (any QueryValue)?],
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        patch(path, query: query.pairs, body: body, headers: headers, id: id)
    }

    /// Makes a DELETE request, which removes the target, whose content nobody wants; its query is sent sorted by name.
    public static func delete(
        _ path: String,
        query: [String: (any QueryValue)?],
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request {
        delete(path, query: query.pairs, body: body, headers: headers, id: id)
    }
}

extension [String: (any QueryValue)?] {
    /// The pairs sorted by name: one for each value of an array, none for nil.
    fileprivate var pairs: [(String, String?)] {
        sorted { $0.key < $1.key }.flatMap { name, value in (value?.queryTexts ?? []).map { (name, $0) } }
    }
}
