// The names of the original SimpleNetworking, so that its users can compile first and rename later. They are a product of their
// own: among the client's methods, they would be part of what the compiler says of any mistake.

import Foundation
import SimpleNetworking

extension SimpleNetworking {
    /// Executes a GET request, with the original library's name for `query:`.
    @available(*, deprecated, renamed: "get(_:query:headers:_:fileID:line:)")
    @discardableResult public func get(
        _ path: String,
        queryParams: [String: String?]?,
        headers: [String: String]? = nil,
        _ build: (SimpleRequest) -> SimpleRequest,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        get(path, query: Query(original: queryParams), headers: headers ?? [:], build, fileID: fileID, line: line)
    }

    /// Executes a POST request, with the original library's name for `query:` and its order of arguments.
    @available(*, deprecated, renamed: "post(_:query:headers:body:_:fileID:line:)")
    @discardableResult public func post(
        _ path: String,
        body: Data? = nil,
        queryParams: [String: String?]?,
        headers: [String: String]? = nil,
        _ build: (SimpleRequest) -> SimpleRequest,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        let made = Self.post(path, body: body, queryParams: queryParams, headers: headers, fileID: fileID, line: line)
        return build(made).execute(on: self)
    }

    /// Creates a GET request, with the original library's name for `query:`.
    @available(*, deprecated, renamed: "get(_:query:headers:_:fileID:line:)")
    public static func get(
        _ path: String,
        queryParams: [String: String?]?,
        headers: [String: String]? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        get(path, query: Query(original: queryParams), headers: headers ?? [:], fileID: fileID, line: line)
    }

    /// Creates a POST request, with the original library's name for `query:` and its order of arguments.
    @available(*, deprecated, renamed: "post(_:query:headers:body:_:fileID:line:)")
    public static func post(
        _ path: String,
        body: Data? = nil,
        queryParams: [String: String?]?,
        headers: [String: String]? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        post(path, query: Query(original: queryParams), headers: headers ?? [:], fileID: fileID, line: line)
            .body(data: body, contentType: .json)
    }
}

extension Query {
    /// Creates a query from a dictionary, in alphabetical order; nil stands for no query.
    fileprivate init(original parameters: [String: String?]?) { self.init(parameters ?? [:]) }
}
