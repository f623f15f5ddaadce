import Foundation
import SimpleNetworking

/// The two engines that a client may run on.
package enum Engine: CaseIterable, Sendable {
    case usual, urlSession

    /// Lets a client run on it, without a log.
    package func select(_ configuration: inout SimpleNetworking.Configuration) {
        if self == .urlSession { configuration.sessionDelegate = SilentDelegate() }
        configuration.logger = .silent
    }
}

private final class SilentDelegate: NSObject, URLSessionDelegate, Sendable {}
