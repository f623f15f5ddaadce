import Foundation
import SimpleNetworkingSupport

@testable import SimpleNetworkingCore

extension SimpleRequest {
    /// Whether a status handler has returned false and kept it.
    var isTakenOver: Bool {
        state.withLock { $0.execution }?.state.withLock { $0.machine.phase == .takenOver } == true
    }
}
