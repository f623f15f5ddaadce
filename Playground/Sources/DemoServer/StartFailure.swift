import Foundation

/// Tells why a demo server could not start.
public struct StartFailure: LocalizedError {
    let port: UInt16
    let reason: String

    /// The port, the reason and what to do.
    public var errorDescription: String? {
        "No server could be started at port \(port): \(reason) Take another port, or 0 for any free one."
    }
}
