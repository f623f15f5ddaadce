import Foundation
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// Names an engine and, for URLSession, whose session it uses: every behaviour is tested with each of them.
enum Engine: String, CaseIterable, Codable, Sendable, CustomTestStringConvertible {
    #if canImport(CLibcurl) && os(Linux)
        case curl = "libcurl"
    #endif
    case ownSession = "URLSession"
    case callersSession = "caller's URLSession"

    static let sessions: Set<Engine> = [.ownSession, .callersSession]

    var testDescription: String { rawValue }

    func transport(
        connectionsPerHost: Int? = nil,
        configuration: URLSessionConfiguration = .ephemeral
    ) throws -> any Transport {
        if let connectionsPerHost { configuration.httpMaximumConnectionsPerHost = connectionsPerHost }
        switch self {
        #if canImport(CLibcurl) && os(Linux)
            case .curl: return try SimpleNetworkingTests.curl { $0.connectionsPerHost = connectionsPerHost ?? 32 }
        #endif
        case .ownSession: return URLSessionTransport(configuration: configuration)
        case .callersSession:
            return URLSessionTransport(session: URLSession(configuration: configuration), logger: .quiet)
        }
    }

    /// A client that uses this engine.
    func client(
        _ server: RawServer,
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) throws -> SimpleNetworking {
        let transport = try transport()
        return SimpleNetworking(baseURL: server.url()) {
            $0.transport = transport
            $0.logger = .quiet
            configure(&$0)
        }
    }

    /// A client whose jar is the only one: a session's own storage would add to what is sent.
    func client(_ server: RawServer, jar: CookieJar) throws -> SimpleNetworking {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        let transport = try transport(configuration: configuration)
        return SimpleNetworking(baseURL: server.url()) {
            $0.transport = transport
            $0.cookieJar = jar
            $0.logger = .quiet
        }
    }
}

#if canImport(CLibcurl) && os(Linux)
    func curl(_ change: (inout CurlConfiguration) -> Void = { _ in }) throws -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.proxy = CurlConfiguration.Proxy.none
        change(&configuration)
        return try #require(CurlTransport(configuration: configuration), "libcurl 7.68 or newer is needed")
    }
#endif
