extension SimpleNetworking {
    /// Makes a request of any method, to be executed later; see the method of the same name.
    public static func request(
        _ method: HTTPMethod,
        path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        let request = SimpleRequest(method, path: path, fileID: fileID, line: line).query(query).headers(headers)
        return body.map { request.body($0) } ?? request
    }

    /// Makes a GET request, which asks for a representation, to be executed later.
    public static func get(
        _ path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(.get, path: path, query: query, headers: headers, fileID: fileID, line: line)
    }

    /// Makes a HEAD request, which asks for the header fields alone, to be executed later.
    public static func head(
        _ path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(.head, path: path, query: query, headers: headers, fileID: fileID, line: line)
    }

    /// Makes an OPTIONS request, which asks what the target can do, to be executed later.
    public static func options(
        _ path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(.options, path: path, query: query, headers: headers, fileID: fileID, line: line)
    }

    /// Makes a POST request, which sends content to be processed, to be executed later.
    public static func post(
        _ path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(.post, path: path, query: query, headers: headers, body: body, fileID: fileID, line: line)
    }

    /// Makes a PUT request, which replaces the target, to be executed later.
    public static func put(
        _ path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(.put, path: path, query: query, headers: headers, body: body, fileID: fileID, line: line)
    }

    /// Makes a PATCH request, which changes a part of the target, to be executed later.
    public static func patch(
        _ path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(.patch, path: path, query: query, headers: headers, body: body, fileID: fileID, line: line)
    }

    /// Makes a DELETE request, which removes the target, to be executed later.
    public static func delete(
        _ path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(.delete, path: path, query: query, headers: headers, body: body, fileID: fileID, line: line)
    }
}
