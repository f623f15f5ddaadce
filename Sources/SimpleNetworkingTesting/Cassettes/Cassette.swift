import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

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
/// Wherever the cassette is in `middleware`, it records what the client sends and receives: each redirect, each request
/// of a resumed upload, and each request with which the cache validates a response. A replay follows the redirects
/// again, stores the cookies in the client's jar, and runs the other middleware. A recorded cookie has its name and its
/// attributes; one that has expired since the recording is valid for as long as it was then. Don't let the cache use
/// responses without validation, because they are no longer fresh when the cassette is replayed later. A file of an
/// earlier version, which was recorded above redirects, is replayed there until you record it again.
///
/// A file whose name ends in `.har` is an HTTP Archive 1.2. A cassette replays archives that browsers and proxies
/// write, and these tools can read the archives that a cassette records. In another tool's archive, the cassette ignores
/// entries without a response, and `OPTIONS` requests don't have to be made. A recorded archive has no times, and all
/// content is in the archive's own file.
///
/// Otherwise, content that is large or isn't text is stored in additional files in the folder of the cassette's file.
/// The cassette reads content only from files in that folder.
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
        case .replay(let exchange): return try await replay(exchange, to: request)
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

    private func replay(_ exchange: CassetteExchange, to request: TransportRequest) async throws -> TransportResponse {
        let response = try await exchange.replay(to: request)
        let isStream = if case .stream = request.sink { true } else { false }
        request.report?(.received(status: response.httpStatus, bytes: isStream ? 0 : response.data.count))
        return response
    }

    private func record(
        _ request: TransportRequest,
        _ asked: CassetteRequest,
        in slot: Int,
        _ next: Next
    ) async throws -> TransportResponse {
        let arrival = Locked(CassetteArrival())
        do {
            let response = try await next(Self.noting(request, in: arrival))
            try withTape { tape in
                // Its content never arrived, and without content it would be acceptable.
                if response.isRefused { return tape.leave(slot) }
                var arrived = arrival.withLock { $0 }
                let content = response.data.isEmpty ? arrived.response?.content ?? Data() : response.data
                arrived.response = CassetteResponse(response, content)
                tape.fill(slot, with: arrived)
                try tape.save()
            }
            return response
        } catch {
            let failure = (error as? NetworkFailure) ?? (error as? SimpleNetworkingError)?.recordedFailure
            let arrived = arrival.withLock { $0 }
            // A reader that stopped its stream early has received this much.
            let isLeft = error.isCancellation && arrived.response != nil
            try withTape { tape in
                if failure != nil || isLeft { tape.fill(slot, with: arrived, failure: failure) }
                tape.leave(slot)
                if failure != nil || isLeft { try tape.save() }
            }
            throw error
        }
    }

    /// Returns the request that notes what arrives before its response is complete.
    private static func noting(_ request: TransportRequest, in arrival: Locked<CassetteArrival>) -> TransportRequest {
        var request = request
        if let report = request.report {
            request.report = { event in
                arrival.withLock { $0.note(event) }
                report(event)
            }
        }
        // The content of a download or a stream never returns through middleware.
        switch request.sink {
        case .stream(let receive):
            request.sink = .stream { part in
                arrival.withLock { $0.note(part) }
                try await receive(part)
            }
        // In the configuration's list, middleware is above the stage that makes a download a stream.
        case .memory: request.onPart = { part in arrival.withLock { $0.note(part) } }
        }
        return request
    }
}

extension Cassette: NetworkMiddleware {
    /// Whether it records and replays below redirects; a file of an older version was recorded above them.
    package var isAtNetwork: Bool { (try? withTape { !$0.isAboveRedirects }) ?? true }
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
