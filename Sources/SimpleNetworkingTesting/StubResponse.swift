import Foundation
import SimpleNetworking

/// Describes the response of a stubbed server, such as `.json(#"{"id": 1}"#)`, `.status(404)` or `.failure(error)`.
public struct StubResponse: Sendable {
    enum Outcome: Sendable {
        case response(TransportResponse)
        case failure(any Error)
        case silence
    }

    var outcome: Outcome
    var gate: Gate?

    /// Responds with a status, header fields and a body.
    public init(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) {
        outcome = .response(TransportResponse(httpStatus: status, headers: headers, data: body))
    }

    private init(_ outcome: Outcome) { self.outcome = outcome }

    /// Responds with a status and no content.
    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> StubResponse {
        StubResponse(status: status, headers: headers)
    }

    /// Responds with JSON, given as text.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> StubResponse {
        .content(Data(text.utf8), type: "application/json", status: status, headers: headers)
    }

    /// Responds with plain text.
    public static func text(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> StubResponse {
        .content(Data(text.utf8), type: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// Responds with bytes of a media type.
    public static func data(_ data: Data, type: String = "application/octet-stream", status: Int = 200) -> StubResponse
    {
        .content(data, type: type, status: status, headers: [:])
    }

    /// Responds with a redirect.
    public static func redirect(to location: String, status: Int = 302) -> StubResponse {
        StubResponse(status: status, headers: ["Location": location])
    }

    /// Fails without a response, with an error such as `NetworkFailure(.connectionLost)`.
    public static func failure(_ error: any Error) -> StubResponse { StubResponse(.failure(error)) }

    /// Never responds; ends only by cancellation.
    public static let silence = StubResponse(.silence)

    /// Responds the same, but waits for a gate to be open.
    public func after(_ gate: Gate) -> StubResponse {
        var copy = self
        copy.gate = gate
        return copy
    }

    private static func content(_ data: Data, type: String, status: Int, headers: HTTPHeaders) -> StubResponse {
        var headers = headers
        headers["Content-Type"] = headers["Content-Type"] ?? type
        return StubResponse(status: status, headers: headers, body: data)
    }

    func deliver() async throws -> TransportResponse {
        try await gate?.wait()
        switch outcome {
        case .response(let response): return response
        case .failure(let error): throw error
        case .silence:
            try await Gate().wait()
            throw CancellationError()
        }
    }
}
