import SimpleNetworkingSupport

/// Tells from an error whether a server was reached.
package enum Connection {
    /// Returns whether no connection was made: no network, no route, no address, or no server.
    package static func isImpossible(after error: any Error) -> Bool {
        NetworkFailure(in: error).map { [.offline, .cannotConnect, .cannotFindHost].contains($0.kind) } ?? false
    }

    /// Returns whether a failure for which a connection isn't impossible shows that one was made.
    package static func wasMade(despite error: any Error) -> Bool {
        switch error {
        case is ContentDelivery.Refused, SimpleNetworkingError.timedOut(.attempt, _),
            SimpleNetworkingError.timedOut(.idle, _):
            true
        default: NetworkFailure(in: error) != nil
        }
    }
}
