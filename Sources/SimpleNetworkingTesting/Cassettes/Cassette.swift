import Foundation
import SimpleNetworking

/// Records a client's requests and responses in a file, and replays them without the network.
///
/// ```swift
/// let cassette = Cassette("Fixtures/users.json")
/// let api = SimpleNetworking(host: "api.example.com") { $0.middleware = [cassette] }
/// ```
///
/// The file contains JSON, which you can read and commit. The cassette hides secrets by the client's own rules before
/// it writes the file, so a replayed response contains `‹secret›` in place of each secret. The cassette replays
/// requests in the recorded order. Requests that were in flight at the same time may come in any order. If a request
/// differs in method, URL or body, it fails with an error that shows the difference. Header fields are recorded, but
/// not compared.
///
/// A file whose name ends in `.har` is an HTTP Archive 1.2. A cassette replays archives that browsers and proxies
/// write, and these tools can read the archives that a cassette records. A recorded archive has no times, and all
/// content is in the archive's own file.
///
/// Otherwise, content that is large or isn't text is stored in additional files in the folder of the cassette's file.
/// The cassette reads content only from files in that folder. Put the cassette first in `middleware`, and turn off the
/// response cache while you record.
public final class Cassette: Middleware {
    /// Selects how a cassette handles requests.
    public enum Mode: Sendable {
        /// Replays the file, and never uses the network.
        case replay
        /// Sends every request, and replaces the file.
        case record
        /// Replays the file if it exists, and records it otherwise.
        case auto
        /// Replays the recorded requests, and starts recording at the first request that differs or is new.
        case update
    }

    /// The URL of the cassette's file.
    public let file: URL
    private let mode: Mode
    private let tape = Locked<CassetteTape?>(nil)

    /// Creates a cassette for the given file.
    ///
    /// The cassette creates the file's folder when it writes a recording.
    public init(_ file: URL, mode: Mode = .auto) {
        self.file = file
        self.mode = mode
    }

    /// Creates a cassette for a file relative to the test's source, such as `Cassette("Fixtures/users.json")`.
    public convenience init(_ path: String, mode: Mode = .auto, source: StaticString = #filePath) {
        let folder = URL(fileURLWithPath: "\(source)").deletingLastPathComponent()
        self.init(folder.appendingPathComponent(path), mode: mode)
    }

    /// Replays the response to the given request, or passes the request on and records the response.
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
    ///   - fileID: The file that a failure is attributed to. The default is the caller's file.
    ///   - filePath: The full path of that file. The default is the path of the caller's file.
    ///   - line: The line that a failure is attributed to. The default is the line of the call.
    ///   - column: The column that a failure is attributed to. The default is the column of the call.
    /// - Throws: An error whose text lists the requests that were not made.
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
        // The content of a download or a stream never returns through middleware.
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
                // Its content never arrived, and without content it would be acceptable.
                if response.isRefused { return tape.leave(slot) }
                tape.fill(slot, with: CassetteResponse(response, content), to: request)
                try tape.save()
            }
            return response
        } catch {
            let failure = (error as? NetworkFailure) ?? (error as? SimpleNetworkingError)?.recordedFailure
            // A reader that stopped its stream early has received this much.
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

/// Reports a problem with a cassette, or a request that differs from the recorded one.
package struct CassetteFailure: PlacedFailure {
    /// Nil for the error that a request fails with.
    package let place: SourcePlace?
    /// The recorded request, the actual request, and what to do.
    package let text: String

    init(place: SourcePlace? = nil, text: String) {
        self.place = place
        self.text = text
    }
}
