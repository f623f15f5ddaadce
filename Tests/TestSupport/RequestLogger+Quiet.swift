import Foundation
import SimpleNetworkingCore

extension RequestLogger {
    /// Writes nothing, unless the environment enables a log of all tests, as the search for secrets does.
    package static let quiet: RequestLogger =
        ProcessInfo.processInfo.environment["SIMPLENETWORKING_LOG"] == nil ? .silent : .system
}
