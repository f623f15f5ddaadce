import ArgumentParser

/// The clients that are compared.
enum ClientKind: String, CaseIterable, Codable, CodingKeyRepresentable, ExpressibleByArgument {
    case simpleHandlers, simpleAwaiting, engine, sessionHandlers, sessionAwaiting, asyncHTTP, easyInterface
    /// Added by `--peer`.
    case alamofire, get

    /// The name in the table.
    var title: String {
        switch self {
        case .simpleHandlers: "SimpleNetworking, handlers"
        case .simpleAwaiting: "SimpleNetworking, async"
        case .engine: "its engine alone"
        case .sessionHandlers: "URLSession, handlers"
        case .sessionAwaiting: "URLSession, async"
        case .asyncHTTP: "async-http-client, async"
        case .easyInterface: "libcurl's easy interface, C"
        case .alamofire: "Alamofire, async"
        case .get: "Get, async"
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
        case .easyInterface: "C, easy"
        case .alamofire: "Alamofire"
        case .get: "Get"
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
        case .easyInterface: EasyInterface(server: server)
        case .alamofire, .get: throw ValidationError("\(title) is a program of its own")
        }
    }

    /// Those that do all steps.
    static let clients = allCases.filter { $0 != .easyInterface && !peers.contains($0) }

    /// Those whose sources are elsewhere.
    static let peers = [ClientKind.alamofire, .get]
}
