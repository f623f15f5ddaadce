import SimpleNetworkingSupport

extension SimpleNetworking {
    /// Executes a request with any HTTP method.
    ///
    /// Methods such as `get` and `post` take the same parameters.
    ///
    /// - Parameters:
    ///   - method: The method, such as `"PROPFIND"`.
    ///   - path: A path that is joined to the base URL, or an absolute URL.
    ///   - query: The pairs to add to the URL's query, as a list such as `[("page", "2")]` or as a dictionary. A
    ///     dictionary's pairs are sorted by name. To pass a list or a dictionary in a variable, write `Query(variable)`.
    ///   - headers: The header fields, which replace the client's fields with the same names.
    ///   - body: The body. `Data` and `String` are sent unchanged; any other value is sent as JSON, encoded with the
    ///     configuration's encoder.
    ///   - build: A closure that adds handlers and options before the request is executed.
    ///   - fileID: The source file that makes the request, for the log.
    ///   - line: The source line that makes the request, for the log.
    /// - Returns: The running request.
    @discardableResult public func request(
        _ method: HTTPMethod,
        path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { run(method, path, query, headers, body: body, at: CallSite(fileID, line), build) }

    /// Executes a GET request, which fetches a representation of the target resource.
    ///
    /// - Returns: The running request.
    @discardableResult public func get(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { run(.get, path, query, headers, at: CallSite(fileID, line), build) }

    /// Executes a HEAD request, which fetches only the header fields.
    ///
    /// - Returns: The running request.
    @discardableResult public func head(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { run(.head, path, query, headers, at: CallSite(fileID, line), build) }

    /// Executes an OPTIONS request, which asks for the options that the target resource supports.
    ///
    /// If the base URL has no path, the path `*` asks for the options of the server itself (RFC 9110 §9.3.7). URLSession
    /// can't ask for these, and sends `/*`.
    ///
    /// - Returns: The running request.
    @discardableResult public func options(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { run(.options, path, query, headers, at: CallSite(fileID, line), build) }

    /// Executes a POST request, which sends content for the target resource to process.
    ///
    /// - Returns: The running request.
    @discardableResult public func post(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { run(.post, path, query, headers, body: body, at: CallSite(fileID, line), build) }

    /// Executes a PUT request, which replaces the target resource.
    ///
    /// - Returns: The running request.
    @discardableResult public func put(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { run(.put, path, query, headers, body: body, at: CallSite(fileID, line), build) }

    /// Executes a PATCH request, which changes part of the target resource.
    ///
    /// - Returns: The running request.
    @discardableResult public func patch(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { run(.patch, path, query, headers, body: body, at: CallSite(fileID, line), build) }

    /// Executes a DELETE request, which removes the target resource.
    ///
    /// - Returns: The running request.
    @discardableResult public func delete(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { run(.delete, path, query, headers, body: body, at: CallSite(fileID, line), build) }

    func run(
        _ method: HTTPMethod,
        _ path: String,
        _ query: Query,
        _ headers: [String: String],
        body: (any Encodable)? = nil,
        at site: CallSite,
        _ build: (SimpleRequest) -> SimpleRequest
    ) -> SimpleRequest {
        let request = Self.make(method, path, query, headers, at: site)
        if let body { request.body(body, encoder: configuration.encoder) }
        return build(request).execute(on: self)
    }
}

// MARK: To execute later

extension SimpleNetworking {
    /// Creates a request with any HTTP method, without executing the request.
    ///
    /// Nothing is sent until you execute the request. For the parameters, see the instance method with the same name.
    public static func request(
        _ method: HTTPMethod,
        path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { build(make(method, path, query, headers, body: body, at: CallSite(fileID, line))) }

    /// Creates a GET request, which fetches a representation of the target resource.
    public static func get(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { build(make(.get, path, query, headers, at: CallSite(fileID, line))) }

    /// Creates a HEAD request, which fetches only the header fields.
    public static func head(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { build(make(.head, path, query, headers, at: CallSite(fileID, line))) }

    /// Creates an OPTIONS request, which asks for the options that the target resource supports.
    public static func options(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { build(make(.options, path, query, headers, at: CallSite(fileID, line))) }

    /// Creates a POST request, which sends content for the target resource to process.
    public static func post(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { build(make(.post, path, query, headers, body: body, at: CallSite(fileID, line))) }

    /// Creates a PUT request, which replaces the target resource.
    public static func put(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { build(make(.put, path, query, headers, body: body, at: CallSite(fileID, line))) }

    /// Creates a PATCH request, which changes part of the target resource.
    public static func patch(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { build(make(.patch, path, query, headers, body: body, at: CallSite(fileID, line))) }

    /// Creates a DELETE request, which removes the target resource.
    public static func delete(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { build(make(.delete, path, query, headers, body: body, at: CallSite(fileID, line))) }

    static func make(
        _ method: HTTPMethod,
        _ path: String,
        _ query: Query,
        _ headers: [String: String],
        body: (any Encodable)? = nil,
        at site: CallSite
    ) -> SimpleRequest {
        let request = SimpleRequest(
            RequestSpecification(method: method, path: path, fileID: site.fileID, line: site.line, query: query)
        )
        request.headers(headers)
        return body.map { request.body($0) } ?? request
    }
}
