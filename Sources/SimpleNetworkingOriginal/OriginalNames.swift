// The names of the original SimpleNetworking, so that its users can compile first and rename later. They are a product of their
// own: among the client's methods, they would be part of what the compiler says of any mistake.

import SimpleNetworking

extension SimpleNetworking {
    /// Executes a GET request with the original's name for `query:`.
    @available(*, deprecated, renamed: "get(_:query:headers:_:fileID:line:)")
    @discardableResult public func get(
        _ path: String,
        queryParams: [String: String],
        headers: [String: String] = [:],
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { get(path, query: Query(queryParams), headers: headers, build, fileID: fileID, line: line) }
    /// Executes a HEAD request with the original's name for `query:`.
    @available(*, deprecated, renamed: "head(_:query:headers:_:fileID:line:)")
    @discardableResult public func head(
        _ path: String,
        queryParams: [String: String],
        headers: [String: String] = [:],
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { head(path, query: Query(queryParams), headers: headers, build, fileID: fileID, line: line) }
    /// Executes an OPTIONS request with the original's name for `query:`.
    @available(*, deprecated, renamed: "options(_:query:headers:_:fileID:line:)")
    @discardableResult public func options(
        _ path: String,
        queryParams: [String: String],
        headers: [String: String] = [:],
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { options(path, query: Query(queryParams), headers: headers, build, fileID: fileID, line: line) }
    /// Executes a POST request with the original's name for `query:`.
    @available(*, deprecated, renamed: "post(_:query:headers:body:_:fileID:line:)")
    @discardableResult public func post(
        _ path: String,
        queryParams: [String: String],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        post(path, query: Query(queryParams), headers: headers, body: body, build, fileID: fileID, line: line)
    }
    /// Executes a PUT request with the original's name for `query:`.
    @available(*, deprecated, renamed: "put(_:query:headers:body:_:fileID:line:)")
    @discardableResult public func put(
        _ path: String,
        queryParams: [String: String],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        put(path, query: Query(queryParams), headers: headers, body: body, build, fileID: fileID, line: line)
    }
    /// Executes a PATCH request with the original's name for `query:`.
    @available(*, deprecated, renamed: "patch(_:query:headers:body:_:fileID:line:)")
    @discardableResult public func patch(
        _ path: String,
        queryParams: [String: String],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        patch(path, query: Query(queryParams), headers: headers, body: body, build, fileID: fileID, line: line)
    }
    /// Executes a DELETE request with the original's name for `query:`.
    @available(*, deprecated, renamed: "delete(_:query:headers:body:_:fileID:line:)")
    @discardableResult public func delete(
        _ path: String,
        queryParams: [String: String],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        delete(path, query: Query(queryParams), headers: headers, body: body, build, fileID: fileID, line: line)
    }

    /// Creates a GET request with the original's name for `query:`.
    @available(*, deprecated, renamed: "get(_:query:headers:_:fileID:line:)")
    public static func get(
        _ path: String,
        queryParams: [String: String],
        headers: [String: String] = [:],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { get(path, query: Query(queryParams), headers: headers, fileID: fileID, line: line) }
    /// Creates a HEAD request with the original's name for `query:`.
    @available(*, deprecated, renamed: "head(_:query:headers:_:fileID:line:)")
    public static func head(
        _ path: String,
        queryParams: [String: String],
        headers: [String: String] = [:],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { head(path, query: Query(queryParams), headers: headers, fileID: fileID, line: line) }
    /// Creates an OPTIONS request with the original's name for `query:`.
    @available(*, deprecated, renamed: "options(_:query:headers:_:fileID:line:)")
    public static func options(
        _ path: String,
        queryParams: [String: String],
        headers: [String: String] = [:],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { options(path, query: Query(queryParams), headers: headers, fileID: fileID, line: line) }
    /// Creates a POST request with the original's name for `query:`.
    @available(*, deprecated, renamed: "post(_:query:headers:body:_:fileID:line:)")
    public static func post(
        _ path: String,
        queryParams: [String: String],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        post(path, query: Query(queryParams), headers: headers, body: body, fileID: fileID, line: line)
    }
    /// Creates a PUT request with the original's name for `query:`.
    @available(*, deprecated, renamed: "put(_:query:headers:body:_:fileID:line:)")
    public static func put(
        _ path: String,
        queryParams: [String: String],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        put(path, query: Query(queryParams), headers: headers, body: body, fileID: fileID, line: line)
    }
    /// Creates a PATCH request with the original's name for `query:`.
    @available(*, deprecated, renamed: "patch(_:query:headers:body:_:fileID:line:)")
    public static func patch(
        _ path: String,
        queryParams: [String: String],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        patch(path, query: Query(queryParams), headers: headers, body: body, fileID: fileID, line: line)
    }
    /// Creates a DELETE request with the original's name for `query:`.
    @available(*, deprecated, renamed: "delete(_:query:headers:body:_:fileID:line:)")
    public static func delete(
        _ path: String,
        queryParams: [String: String],
        headers: [String: String] = [:],
        body: (any Encodable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        delete(path, query: Query(queryParams), headers: headers, body: body, fileID: fileID, line: line)
    }
}

extension SimpleResponse {
    /// Decodes JSON by the original's name for `decode(_:using:)`.
    ///
    /// - Throws: `SimpleNetworkingError.decoding`, which names the type and the place, and keeps this response.
    @available(*, deprecated, renamed: "decode(_:using:)")
    public func decodeJSON<Value: Decodable>(_ type: Value.Type = Value.self) throws(SimpleNetworkingError) -> Value {
        try decode(type)
    }
}
