import SimpleNetworkingSupport

extension SimpleNetworking {
    /// Whether no request uses a service of the client, and none may be replaced.
    package var isIdle: Bool { services.areIdle && replacements.count == 0 }
}
