import ArgumentParser

/// The clients that are compared.
enum ClientKind: String, CaseIterable, Codable, CodingKeyRepresentable, ExpressibleByArgument {
    case simpleHandlers, simpleAwaiting, engine, sessionHandlers, sessionAwaiting, asyncHTTP

    /// The name in the table.
    var title: String {
        switch self {
        case .simpleHandlers: "SimpleNetworking, handlers"
        case .simpleAwaiting: "SimpleNetworking, async"
        case .engine: "its engine alone"
        case .sessionHandlers: "URLSession, handlers"
        case .sessionAwaiting: "URLSession, async"
        case .asyncHTTP: "async-http-client, async"
        }
    }

    /// The name at the head of a column.
    var shortTitle: String {
        switch self {
        case .simpleHandlers: "SN handlers"
        case .simpleAwaiting: "SN async"
        case .engine: "SN engine"
        case .sessionHandlers: "URLSession"
        case .sessionAwaiting: "URLS. async"
        case .asyncHTTP: "AHC"
        }
    }

    /// Makes a client of a server, with as many connections as it has by itself if no number is given.
    func make(_ server: URL, on engine: Engine, connections: Int? = nil) throws -> any Client {
        func simple() throws -> SimpleNetworking {
            let transport = try engine.transport(connections: connections)
            return SimpleNetworking(baseURL: server) { $0.transport = transport }
        }
        func session() -> URLSession { URLSession(configuration: .plain(connections: connections)) }
        return switch self {
        case .simpleHandlers: SimpleHandlers(client: try simple())
        case .simpleAwaiting: SimpleAwaiting(client: try simple())
        case .engine: BareEngine(transport: try engine.transport(connections: connections), server: server)
        case .sessionHandlers: SessionHandlers(session: session(), server: server)
        case .sessionAwaiting: SessionAwaiting(session: session(), server: server)
        case .asyncHTTP: AsyncHTTP(server, connections: connections)
        }
    }
}
