import Foundation
import SimpleNetworking

/// Records a client's requests and responses in a file, and replays them without the network.
///
/// ```swift
/// let cassette = Cassette("Fixtures/users.json")
/// let api = SimpleNetworking(host: "api.example.com") { $0.middleware = [cassette] }
/// ```
///
/// The file is JSON to read and to commit. Secrets are hidden by the client's own rules before anything is written, so
/// that a replayed response has `‹secret›` in place of each. Requests are replayed in the recorded order; those that were
/// in flight at the same time may come in another. One that differs in method, URL or body fails with an error that shows
/// the difference. Header fields are recorded, but not compared.
///
/// A file that ends in `.har` is an HTTP Archive 1.2: browsers and proxies write such files, which a cassette replays,
/// and read those that it records. It has neither times nor files beside it.
///
/// Content that is large or no text is stored beside the file, and read from nowhere else. Put it first in `middleware`, and turn a response cache
/// off while recording.
public final class Cassette: Middleware {
    /// Says what to do with requests.
    public enum Mode: Sendable {
        /// Replays the file, and never uses the network.
        case replay
        /// Sends every request, and replaces the file.
        case record
        /// Replays the file if there is one, and records it otherwise.
        case auto
        /// Replays what is recorded, and records from the first request on that differs or is new.
        case update
    }

    /// The file.
    public let file: URL
    private let mode: Mode
    private let tape = Locked<CassetteTape?>(nil)

    /// Creates a cassette of a file; its folder is made when something is recorded.
    public init(_ file: URL, mode: Mode = .auto) {
        self.file = file
        self.mode = mode
    }

    /// Creates a cassette of a file beside the test's source, such as `Cassette("Fixtures/users.json")`.
    public convenience init(_ path: String, mode: Mode = .auto, source: StaticString = #filePath) {
        let folder = URL(fileURLWithPath: "\(source)").deletingLastPathComponent()
        self.init(folder.appendingPathComponent(path), mode: mode)
    }

    /// Replays the response to a request, or passes the request on and records the response.
    public func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        let (step, asked) = try withTape { tape in
            let asked = tape.asked(request)
            return (try tape.step(asked), asked)
        }
        switch step {
        case .replay(let exchange): return try exchange.replayed(to: request)
        case .record(let slot): return try await record(request, asked, in: slot, next)
        }
    }

    /// Checks that every recorded request was made.
    ///
    /// - Parameters:
    ///   - fileID: The file of the line that a failure belongs to. The default is the caller's.
    ///   - filePath: The path of that file. The default is the caller's.
    ///   - line: The line. The default is the caller's.
    ///   - column: The column. The default is the caller's.
    /// - Throws: An error whose text names those that were not.
    public func verify(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) throws {
        let rest = try withTape(\.unplayed)
        guard !rest.isEmpty else { return }
        let lines = ["recorded in \(file.lastPathComponent), but not requested:"] + rest.map { "  " + $0 }
        let place = SourcePlace(fileID, filePath, line, column)
        throw StubScope.noted(CassetteFailure(place: place, text: lines.joined(separator: "\n")))
    }

    private func withTape<Result>(_ body: (inout CassetteTape) throws -> Result) throws -> Result {
        try tape.withLock { tape in
            var current = try tape ?? CassetteTape(file, mode)
            defer { tape = current }
            return try body(&current)
        }
    }

    private func record(
        _ request: TransportRequest,
        _ asked: CassetteRequest,
        in slot: Int,
        _ next: Next
    ) async throws -> TransportResponse {
        // The content of a download or a stream never comes back to middleware.
        let streamed = Locked<CassetteResponse?>(nil)
        var request = request
        request.onPart = { part in
            streamed.withLock { response in
                switch part {
                case .head(let status, let headers):
                    response = CassetteResponse(status: status, headers: headers, content: Data())
                case .content(let bytes): response?.content += bytes
                }
            }
        }
        do {
            let response = try await next(request)
            let content = response.data.isEmpty ? streamed.withLock { $0?.content ?? Data() } : response.data
            try withTape { tape in
                tape.fill(slot, with: CassetteResponse(response, content), to: request)
                try tape.save()
            }
            return response
        } catch {
            let failure = (error as? NetworkFailure) ?? (error as? SimpleNetworkingError)?.recordedFailure
            // A reader that has left its stream early has got this much.
            let begun = error.isCancellation ? streamed.withLock { $0 } : nil
            try withTape { tape in
                if let begun { tape.fill(slot, with: begun, to: request) }
                if let failure { tape.fill(slot, with: failure) }
                tape.leave(slot)
                if failure != nil || begun != nil { try tape.save() }
            }
            throw error
        }
    }
}

extension SimpleNetworkingError {
    fileprivate var recordedFailure: NetworkFailure? {
        switch self {
        case .networkingError(let failure, _): failure
        case .timedOut: NetworkFailure(CassetteExchange.timeout)
        default: nil
        }
    }
}

extension Error {
    fileprivate var isCancellation: Bool {
        if case .cancelled? = self as? SimpleNetworkingError { true } else { self is CancellationError }
    }
}

/// Reports what is wrong with a cassette, or with a request that is not the recorded one.
package struct CassetteFailure: PlacedFailure {
    /// Nil for what a request fails with.
    package let place: SourcePlace?
    /// What was recorded, what was requested, and what to do.
    package let text: String

    init(place: SourcePlace? = nil, text: String) {
        self.place = place
        self.text = text
    }
}
