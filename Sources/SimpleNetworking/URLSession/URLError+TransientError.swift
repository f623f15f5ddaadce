import SimpleNetworkingSupport

/// An authenticator may use a session of its own.
extension URLError: TransientError {
    package var isTransient: Bool {
        let kinds: [NetworkFailure.Kind] = [.offline, .cannotFindHost, .cannotConnect, .connectionLost]
        return code == .timedOut || kinds.contains(NetworkFailure(self).kind)
    }
}
