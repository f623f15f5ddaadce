/// The verbs for a query that is in a variable of another type.
///
/// They are apart from those for `Query`, since Swift finds a type for a literal of several pairs only where it has one to
/// begin with.
extension SimpleNetworking {
    /// Executes a request of any method whose query is an array of pairs or a dictionary, and returns it.
    @discardableResult
    public func request(
        _ method: HTTPMethod,
        path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(method, path: path, query: query.query, headers: headers, body: body, build, fileID: fileID, line: line)
    }

    /// Executes a GET request whose query is an array of pairs or a dictionary, and returns it.
    @discardableResult
    public func get(
        _ path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        get(path, query: query.query, headers: headers, build, fileID: fileID, line: line)
    }

    /// Executes a HEAD request whose query is an array of pairs or a dictionary, and returns it.
    @discardableResult
    public func head(
        _ path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        head(path, query: query.query, headers: headers, build, fileID: fileID, line: line)
    }

    /// Executes an OPTIONS request whose query is an array of pairs or a dictionary, and returns it.
    @discardableResult
    public func options(
        _ path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        options(path, query: query.query, headers: headers, build, fileID: fileID, line: line)
    }

    /// Executes a POST request whose query is an array of pairs or a dictionary, and returns it.
    @discardableResult
    public func post(
        _ path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        post(path, query: query.query, headers: headers, body: body, build, fileID: fileID, line: line)
    }

    /// Executes a PUT request whose query is an array of pairs or a dictionary, and returns it.
    @discardableResult
    public func put(
        _ path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        put(path, query: query.query, headers: headers, body: body, build, fileID: fileID, line: line)
    }

    /// Executes a PATCH request whose query is an array of pairs or a dictionary, and returns it.
    @discardableResult
    public func patch(
        _ path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        patch(path, query: query.query, headers: headers, body: body, build, fileID: fileID, line: line)
    }

    /// Executes a DELETE request whose query is an array of pairs or a dictionary, and returns it.
    @discardableResult
    public func delete(
        _ path: String,
        query: some QueryConvertible,
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        delete(path, query: query.query, headers: headers, body: body, build, fileID: fileID, line: line)
    }
}
