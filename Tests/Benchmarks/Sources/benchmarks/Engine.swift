import ArgumentParser

/// The engines that SimpleNetworking can be measured on.
enum Engine: String, CaseIterable, ExpressibleByArgument {
    case curl, urlSession

    /// What a client uses on this platform when nothing is said.
    static let standard: Engine = {
        #if canImport(Darwin)
            .urlSession
        #else
            CurlTransport() == nil ? .urlSession : .curl
        #endif
    }()

    /// Makes a transport, with as many connections as it has by itself if no number is given.
    func transport(connections: Int?) throws -> any Transport {
        switch self {
        case .urlSession: return URLSessionTransport(configuration: .plain(connections: connections))
        case .curl:
            #if !canImport(Darwin)
                var configuration = CurlConfiguration()
                configuration.connectionsPerHost = connections ?? configuration.connectionsPerHost
                configuration.connectionsInTotal = max(configuration.connectionsInTotal, connections ?? 0)
                configuration.caFile = Authority.file.map { URL(fileURLWithPath: $0) }
                if let transport = CurlTransport(configuration: configuration) { return transport }
            #endif
            throw ValidationError("there is no libcurl that can be used")
        }
    }
}

extension URLSessionConfiguration {
    /// Foundation's default, with another number of connections per host if one is given.
    static func plain(connections: Int?) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        if let connections { configuration.httpMaximumConnectionsPerHost = connections }
        return configuration
    }
}
