import Foundation
import SimpleNetworkingTestSupport

/// Looks from another thread, on its release, whether something can be read that is under a lock.
final class ReleaseProbe: Error, @unchecked Sendable {
    private let report: @Sendable (Bool) -> Void
    private let look: @Sendable () -> Void

    init(_ results: Recorder<String>, _ look: @escaping @Sendable () -> Void) {
        report = { results.add($0 ? "read" : "locked") }
        self.look = look
    }

    deinit {
        let (look, isRead) = (look, DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            look()
            isRead.signal()
        }
        report(isRead.wait(timeout: .now() + 10) == .success)
    }
}
