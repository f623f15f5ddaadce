import Foundation
import SimpleNetworkingCore

/// A stubbed server's response, such as `.json(#"{"id": 1}"#)`, `.status(404)` or `.failure(error)`.
public struct StubResponse: Sendable {
    /// The steps before the head.
    var start: [StubPiece] = []
    /// The status and the header fields; nil if the response ends before its head.
    var head: (status: Int, headers: HTTPHeaders)?
    var body: [StubPiece] = []
    /// The trailer fields.
    var trailers: HTTPHeaders = [:]
    /// The number of bytes after which the body is cut off, and the error that ends it.
    var cut: (count: Int, error: NetworkFailure)?
    /// The length that the head announces, if it differs from the body's.
    var announcedLength: Int?
    /// The responses to successive requests, for `replies(_:)`.
    var sequence: [StubResponse] = []

    /// Creates a response with the given status, header fields and body.
    public init(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) {
        head = (status, headers)
        if !body.isEmpty { self.body = [.data(body)] }
    }

    private init(_ pieces: [StubPiece]) { start = pieces }

    /// Responds with the given status and no content.
    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> StubResponse {
        StubResponse(status: status, headers: headers)
    }

    /// Responds with JSON, given as text.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> StubResponse {
        .content([.text(text)], type: "application/json", status: status, headers: headers)
    }

    /// Responds with plain text.
    public static func text(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> StubResponse {
        .content([.text(text)], type: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// Responds with bytes of the given media type.
    public static func data(_ data: Data, type: String = "application/octet-stream", status: Int = 200) -> StubResponse
    {
        .content([.data(data)], type: type, status: status, headers: [:])
    }

    /// Responds with a redirect.
    public static func redirect(to location: String, status: Int = 302) -> StubResponse {
        StubResponse(status: status, headers: ["Location": location])
    }

    /// Fails without a response, with the given error, such as `NetworkFailure(.connectionLost)`.
    public static func failure(_ error: any Error) -> StubResponse { StubResponse([.failure(error)]) }

    /// Fails without a response, with a network failure of the given kind, such as `.offline`.
    public static func failure(_ kind: NetworkFailure.Kind) -> StubResponse { .failure(NetworkFailure(kind)) }

    /// A response that never arrives, so that the request ends only when it times out or is cancelled.
    public static let silence = StubResponse([.silence])

    static func content(_ body: [StubPiece], type: String, status: Int, headers: HTTPHeaders) -> StubResponse {
        var headers = headers
        headers["Content-Type"] = headers["Content-Type"] ?? type
        var response = StubResponse(status: status, headers: headers)
        response.body = body.filter { $0.content?.isEmpty != true }
        return response
    }
}

// MARK: Bodies in pieces

extension StubResponse {
    /// Responds with a body in pieces, such as `.pieces("one", .gate(gate), "two", .delay(3), "three")`.
    ///
    /// Downloads, streams, event streams and progress handlers receive each piece as it arrives. Any other request
    /// receives the whole body, up to its `maxResponseSize`. The head announces no length, as in a chunked response;
    /// see `announcing(length:)`.
    public static func pieces(
        _ pieces: StubPiece...,
        type: String = "application/octet-stream",
        status: Int = 200,
        headers: HTTPHeaders = [:]
    ) -> StubResponse {
        content(pieces, type: type, status: status, headers: headers)
    }

    /// Responds with an event stream in which each text is an event's data, as in `.events("one", .gate(gate), "two")`.
    public static func events(_ pieces: StubPiece..., headers: HTTPHeaders = [:]) -> StubResponse {
        let events = pieces.map { piece in
            piece.content.map { data in
                let lines = String(decoding: data, as: UTF8.self).components(separatedBy: "\n")
                return StubPiece.text(lines.map { "data: \($0)\n" }.joined() + "\n")
            } ?? piece
        }
        return content(events, type: "text/event-stream", status: 200, headers: headers)
    }

    /// Returns a copy of the response that first waits until the given gate is open.
    public func after(_ gate: Gate) -> StubResponse { starting(with: .gate(gate)) }

    /// Returns a copy of the response, delayed by `seconds` on the stub's clock; see `StubTransport.init(clock:)`.
    public func after(_ seconds: TimeInterval) -> StubResponse { starting(with: .delay(seconds)) }

    /// Delivers the body in pieces of `count` bytes, with a delay before each piece.
    ///
    /// By default, each piece is one byte, so a body of 100 bytes takes 100 times the delay. The stub's clock measures the
    /// delay; a `LoopbackServer` waits in real time.
    public func dripping(_ count: Int = 1, every seconds: TimeInterval) -> StubResponse {
        changed { response in
            response.body = response.body.flatMap { piece -> [StubPiece] in
                guard let data = piece.content else { return [piece] }
                let size = max(1, min(count, data.count))
                return stride(from: data.startIndex, to: data.endIndex, by: size).flatMap { start in
                    [StubPiece.delay(seconds), .data(Data(data[start...].prefix(size)))]
                }
            }
        }
    }

    /// Cuts the body off after `count` bytes with a network failure, which is `.connectionLost` by default.
    public func cut(after count: Int, by kind: NetworkFailure.Kind = .connectionLost) -> StubResponse {
        changed { $0.cut = (count, NetworkFailure(kind, detail: "the stub cut the body off after \(count) bytes")) }
    }

    /// Announces a `Content-Length`, which may be wrong.
    ///
    /// As with a real server, a shorter body fails with `.connectionLost`, and bytes beyond the length are dropped.
    public func announcing(length: Int) -> StubResponse {
        changed { response in
            response.announcedLength = length
            response.head?.headers["Content-Length"] = "\(length)"
        }
    }

    /// Sets the trailer fields, which follow the body, such as a checksum (RFC 9110 §6.5).
    public func trailers(_ fields: HTTPHeaders) -> StubResponse { changed { $0.trailers = fields } }

    /// Adds an interim response, such as 103 with a `Link`, before the final response (RFC 9110 §15.2).
    public func afterInterim(_ status: Int, headers: HTTPHeaders = [:]) -> StubResponse {
        starting(with: StubPiece(.interim(status: status, headers: headers)))
    }

    private func starting(with piece: StubPiece) -> StubResponse { changed { $0.start.insert(piece, at: 0) } }

    private func changed(_ change: (inout StubResponse) -> Void) -> StubResponse {
        var copy = self
        change(&copy)
        copy.sequence = sequence.map { $0.changed(change) }
        return copy
    }
}
