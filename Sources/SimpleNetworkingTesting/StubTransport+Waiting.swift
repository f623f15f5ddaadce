import Foundation
import SimpleNetworkingCore

extension StubTransport {
    /// Waits until a request has ended.
    ///
    /// If the request doesn't end in time, this method throws an error that lists everything that is pending.
    ///
    /// - Parameters:
    ///   - request: The request to wait for.
    ///   - seconds: The timeout in seconds of real time. The default is 30.
    ///   - fileID: The file that a failure is attributed to. The default is the caller's file.
    ///   - filePath: The full path of that file. The default is the path of the caller's file.
    ///   - line: The line that a failure is attributed to. The default is the line of the call.
    ///   - column: The column that a failure is attributed to. The default is the column of the call.
    /// - Returns: The result that completion handlers receive.
    /// - Throws: An error whose text contains the trace, the events that the stub's responses wait for, and its clock's
    ///   alarms.
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
