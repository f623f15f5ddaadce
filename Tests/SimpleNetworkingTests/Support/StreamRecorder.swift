import Foundation

@testable import SimpleNetworkingCore

/// Keeps what a stream receives, and does something about each part.
final class StreamRecorder: Sendable {
    private let parts = Recorder<ResponsePart>()
    private let react: @Sendable (Int) async throws -> Void

    /// - Parameter react: Gets the number of each part, from 0, once it is kept.
    init(_ react: @escaping @Sendable (Int) async throws -> Void = { _ in }) { self.react = react }

    var sink: ResponseSink {
        .stream { part in
            self.parts.add(part)
            try await self.react(self.parts.elements.count - 1)
        }
    }

    /// The status and length, then each piece.
    var heard: [String] {
        parts.elements.map { part in
            switch part {
            case .head(let status, let headers): "\(status) \(headers["Content-Length"] ?? "")"
            case .content(let data): String(decoding: data, as: UTF8.self)
            }
        }
    }

    var content: Data {
        parts.elements.reduce(into: Data()) { if case .content(let data) = $1 { $0 += data } }
    }
}
