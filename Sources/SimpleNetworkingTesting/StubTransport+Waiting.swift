import Foundation
import SimpleNetworking

extension StubTransport {
    /// Waits until a request has ended; throws an error that lists everything pending if it doesn't end in time.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - seconds: The timeout in seconds of real time. The default is 30.
    ///   - fileID: The file that a failure is attributed to. The default is the caller's.
    ///   - filePath: The path of that file. The default is the caller's.
    ///   - line: The line. The default is the caller's.
    ///   - column: The column. The default is the caller's.
    /// - Returns: The result that completion handlers receive.
    /// - Throws: An error whose text contains the trace, what the stub's responses wait for, and the alarms of its
    ///   clock.
    @discardableResult
    public func expectEnd(
        of request: SimpleRequest,
        within seconds: TimeInterval = 30,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) async throws -> Result<SimpleResponse, SimpleNetworkingError> {
        let outcome = await request.ended(timeout: seconds)
        guard case .failure(.failed(let error as SimpleRequest.EndTimeout, _, _)) = outcome else { return outcome }
        throw StubScope.noted(
            StillPending(
                place: SourcePlace(fileID, filePath, line, column),
                error: error,
                waits: waits,
                alarms: (clock as? VirtualClock)?.pending ?? []
            )
        )
    }
}

/// Reports a request that did not end, and possible reasons.
package struct StillPending: PlacedFailure {
    package let place: SourcePlace?
    let error: SimpleRequest.EndTimeout
    let waits: [String]
    let alarms: [String]

    /// The trace, and everything that is pending.
    package var text: String {
        let waits = waits.isEmpty ? ["none"] : waits
        let alarms = alarms.isEmpty ? ["nothing is scheduled"] : alarms
        let lines = ["responses that wait:"] + waits.map { "  " + $0 } + ["the clock:"] + alarms.map { "  " + $0 }
        return (["\(error)"] + lines).joined(separator: "\n")
    }
}
