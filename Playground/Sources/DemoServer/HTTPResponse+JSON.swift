import FlyingFox
import Foundation

extension HTTPResponse {
    /// A response with JSON content, its keys sorted so that it reads the same every time.
    static func json(
        _ value: some Encodable,
        status: HTTPStatusCode = .ok,
        headers: [HTTPHeader: String] = [:]
    ) throws -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let fields = headers.merging([.contentType: "application/json"]) { given, _ in given }
        return HTTPResponse(statusCode: status, headers: HTTPHeaders(fields), body: try encoder.encode(value))
    }

    /// A response that describes a problem.
    static func problem(_ code: Int, _ message: String, headers: [HTTPHeader: String] = [:]) -> HTTPResponse {
        let status = HTTPStatusCode(code, phrase: "Refused")
        let response = try? json(["error": message], status: status, headers: headers)
        return response ?? HTTPResponse(statusCode: status)
    }
}
