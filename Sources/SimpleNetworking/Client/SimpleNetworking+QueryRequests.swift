/// The requests for a query that is in a variable of another type, as for the verbs.
extension SimpleNetworking {
    /// Makes a request of any method whose query is an array of pairs or a dictionary, to be executed later.
    public static func request(
        _ method: HTTPMethod,
        path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(method, path: path, query: query.query, headers: headers, body: body, fileID: fileID, line: line)
    }

    /// Makes a GET request whose query is an array of pairs or a dictionary, to be executed later.
    public static func get(
        _ path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        get(path, query: query.query, headers: headers, fileID: fileID, line: line)
    }

    /// Makes a HEAD request whose query is an array of pairs or a dictionary, to be executed later.
    public static func head(
        _ path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        head(path, query: query.query, headers: headers, fileID: fileID, line: line)
    }

    /// Makes an OPTIONS request whose query is an array of pairs or a dictionary, to be executed later.
    public static func options(
        _ path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        options(path, query: query.query, headers: headers, fileID: fileID, line: line)
    }

    /// Makes a POST request whose query is an array of pairs or a dictionary, to be executed later.
    public static func post(
        _ path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        post(path, query: query.query, headers: headers, body: body, fileID: fileID, line: line)
    }

    /// Makes a PUT request whose query is an array of pairs or a dictionary, to be executed later.
    public static func put(
        _ path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        put(path, query: query.query, headers: headers, body: body, fileID: fileID, line: line)
    }

    /// Makes a PATCH request whose query is an array of pairs or a dictionary, to be executed later.
    public static func patch(
        _ path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        patch(path, query: query.query, headers: headers, body: body, fileID: fileID, line: line)
    }

    /// Makes a DELETE request whose query is an array of pairs or a dictionary, to be executed later.
    public static func delete(
        _ path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        delete(path, query: query.query, headers: headers, body: body, fileID: fileID, line: line)
    }
}
