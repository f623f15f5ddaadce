import Foundation
import SimpleNetworking

/// Says what a stubbed server answers, such as `.json(#"{"id": 1}"#)`, `.status(404)` or `.failure(error)`.
public struct StubResponse: Sendable {
    enum Answer: Sendable {
        case response(TransportResponse)
        case failure(any Error)
        case silence
    }

    var answer: Answer
    var gate: Gate?

    /// Answers with a status, header fields and content.
    public init(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) {
        answer = .response(TransportResponse(status: status, headers: headers, body: body))
    }

    private init(_ answer: Answer) { self.answer = answer }

    /// Answers with a status and no content.
    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> StubResponse {
        StubResponse(status: status, headers: headers)
    }

    /// Answers with JSON, given as text.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> StubResponse {
        .content(Data(text.utf8), type: "application/json", status: status, headers: headers)
    }

    /// Answers with plain text.
    public static func text(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> StubResponse {
        .content(Data(text.utf8), type: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// Answers with bytes of some type.
    public static func data(_ data: Data, type: String = "application/octet-stream", status: Int = 200) -> StubResponse
    {
        .content(data, type: type, status: status, headers: [:])
    }

    /// Answers with a redirect.
    public static func redirect(to location: String, status: Int = 302) -> StubResponse {
        StubResponse(status: status, headers: ["Location": location])
    }

    /// Gives no answer but an error, such as `NetworkFailure(.connectionLost)`.
    public static func failure(_ error: any Error) -> StubResponse { StubResponse(.failure(error)) }

    /// Never answers; ends only when it is cancelled.
    public static let silence = StubResponse(.silence)

    /// Answers the same, but only when the gate is open.
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
        switch answer {
        case .response(let response): return response
        case .failure(let error): throw error
        case .silence:
            try await Gate().wait()
            throw CancellationError()
        }
    }
}
