import Foundation

@testable import SimpleNetworkingCore

/// The name of an error's kind or case, for tables.
func name(of error: any Error) -> String {
    switch error {
    case is CancellationError: "CancellationError"
    case let failure as NetworkFailure: failure.kind.rawValue
    case let error as SimpleNetworkingError: String(describing: Mirror(reflecting: error).children.first?.label ?? "")
    default: "\(type(of: error))"
    }
}
