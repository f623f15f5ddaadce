extension SimpleNetworking {
    /// Executes a request of any method, and returns it.
    ///
    /// - Parameters:
    ///   - method: The method, such as `"PROPFIND"`.
    ///   - path: A path below the base URL, or an absolute address.
    ///   - query: Pairs to add to the address: `[("page", "2")]`, a dictionary (sent sorted by name), or a `Query`.
    ///   - headers: Header fields, over the client's.
    ///   - body: Content: `Data` and `String` as they are, anything else as JSON, by the configuration's encoder. The
    ///     default is none.
    ///   - build: Adds handlers and whatever else; called before this returns.
    ///   - fileID: Where the request is made, for the log.
    ///   - line: Where the request is made, for the log.
    /// - Returns: The request, which is on its way.
    @discardableResult
    public func request(
        _ method: HTTPMethod,
        path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        let request = Self.request(method, path: path, query: query, headers: headers, fileID: fileID, line: line)
        if let body { request.body(body, encoder: configuration.encoder) }
        return build(request).execute(on: self)
    }

    /// Executes a GET request, which asks for a representation, and returns it; see `request(_:path:query:headers:body:_:)`.
    @discardableResult
    public func get(
        _ path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(.get, path: path, query: query, headers: headers, build, fileID: fileID, line: line)
    }

    /// Executes a HEAD request, which asks for the header fields alone, and returns it; see `request(_:path:query:headers:body:_:)`.
    @discardableResult
    public func head(
        _ path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(.head, path: path, query: query, headers: headers, build, fileID: fileID, line: line)
    }

    /// Executes an OPTIONS request, which asks what the target can do, and returns it; see `request(_:path:query:headers:body:_:)`.
    @discardableResult
    public func options(
        _ path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(.options, path: path, query: query, headers: headers, build, fileID: fileID, line: line)
    }

    /// Executes a POST request, which sends content to be processed, and returns it; see `request(_:path:query:headers:body:_:)`.
    @discardableResult
    public func post(
        _ path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(.post, path: path, query: query, headers: headers, body: body, build, fileID: fileID, line: line)
    }

    /// Executes a PUT request, which replaces the target, and returns it; see `request(_:path:query:headers:body:_:)`.
    @discardableResult
    public func put(
        _ path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(.put, path: path, query: query, headers: headers, body: body, build, fileID: fileID, line: line)
    }

    /// Executes a PATCH request, which changes a part of the target, and returns it; see `request(_:path:query:headers:body:_:)`.
    @discardableResult
    public func patch(
        _ path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(.patch, path: path, query: query, headers: headers, body: body, build, fileID: fileID, line: line)
    }

    /// Executes a DELETE request, which removes the target, and returns it; see `request(_:path:query:headers:body:_:)`.
    @discardableResult
    public func delete(
        _ path: String,
        query: Query = Query(),
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        request(.delete, path: path, query: query, headers: headers, body: body, build, fileID: fileID, line: line)
    }
}
