import Foundation
import SimpleNetworkingCore

/// A step of a stubbed body: bytes, or an event between bytes, such as `.gate(gate)` or `.delay(2)`.
///
/// A string literal is a text piece, as in `.pieces("one", .delay(2), "two")`.
public struct StubPiece: Sendable, ExpressibleByStringInterpolation {
    enum Kind: Sendable {
        case content(Data)
        case gate(Gate)
        case delay(TimeInterval)
        case failure(any Error)
        case silence
        /// Occurs only before the head.
        case interim(status: Int, headers: HTTPHeaders)
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// Creates a piece that contains text, encoded as UTF-8.
    public init(stringLiteral text: String) { self.init(.content(Data(text.utf8))) }

    /// Delivers text, encoded as UTF-8.
    public static func text(_ text: String) -> StubPiece { StubPiece(stringLiteral: text) }

    /// Delivers bytes.
    public static func data(_ data: Data) -> StubPiece { StubPiece(.content(data)) }

    /// Waits until a gate is open.
    public static func gate(_ gate: Gate) -> StubPiece { StubPiece(.gate(gate)) }

    /// Waits for the given number of seconds on the stub's clock; see `StubTransport.init(clock:)`.
    public static func delay(_ seconds: TimeInterval) -> StubPiece { StubPiece(.delay(seconds)) }

    /// Ends the transfer with a network failure of the given kind.
    public static func failure(_ kind: NetworkFailure.Kind) -> StubPiece { .failure(NetworkFailure(kind)) }

    /// Ends the transfer with the given error.
    public static func failure(_ error: any Error) -> StubPiece { StubPiece(.failure(error)) }

    /// A piece after which nothing is delivered, so that the transfer ends only when it times out or is cancelled.
    public static let silence = StubPiece(.silence)

    /// The bytes; nil for a step that has none.
    var content: Data? { if case .content(let data) = kind { data } else { nil } }
}
