import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Synchronization

/// Records the ends of the sessions whose delegate it is.
final class SessionWatcher: NSObject, URLSessionDataDelegate {
    /// Opens when a session has ended.
    let sessionEnd = Gate()
    private let lines = Mutex<[String]>([])

    var heard: [String] { lines.withLock { $0 } }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        lines.withLock { $0.append("end of session") }
        sessionEnd.open()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        lines.withLock { $0.append("end of task") }
    }
}
