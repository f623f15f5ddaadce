import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// The two ways to have a credential refreshed: all that is promised of one is promised of the other.
enum RefreshWay: CaseIterable, CustomTestStringConvertible {
    case authenticator, handlers

    var testDescription: String { "\(self)" }

    /// Makes a client whose token is `old`, and which gets a new one from `/auth`.
    func client(
        _ server: some Transport,
        clock: any RequestClock = SystemClock(),
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) -> SimpleNetworking {
        switch self {
        case .authenticator:
            let box = Locked<SimpleNetworking?>(nil)
            let bearer = BearerAuthenticator(token: Secret("old")) { _ in
                guard let client = box.withLock({ $0 }) else { throw RefreshFailure.forgotten }
                return Secret(try await client.send(Request<Token>.get("/auth")).value.token)
            }
            let client = SimpleNetworking(over: server, clock: clock) {
                $0.authenticator = bearer
                configure(&$0)
            }
            box.withLock { $0 = client }
            return client
        case .handlers:
            let client = HeaderRefreshingClient(over: server, clock: clock) { configure(&$0) }
            client.headers["Authorization"] = "Bearer old"
            return client
        }
    }
}

struct Token: Codable, Sendable {
    let token: String
}

/// Requests a new token from `/auth` when a token is refused.
final class HeaderRefreshingClient: SimpleNetworking, @unchecked Sendable {
    override func execute(request: SimpleRequest) {
        if request.httpStatusHandlers[401] == nil {
            request.on(
                httpStatus: 401,
                { request, _ in
                    self.reauthenticate(request) { done in
                        self.get("/auth") {
                            $0.on(success: Token.self) { token in
                                self.headers["Authorization"] = "Bearer \(token.token)"
                                done()
                            }
                            .on(error: { error in done(error) })
                        }
                    }
                    return false
                }
            )
        }
        super.execute(request: request)
    }
}

/// A server that takes one token, and gives it out at `/auth`.
final class TokenServer: Transport {
    private let state = Locked<(token: String, log: [String])>(("t1", []))
    /// Holds up what carries the token `old`.
    let refusals: Gate?
    let refresh: @Sendable () async throws -> TransportResponse?

    init(refusals: Gate? = nil, refresh: @escaping @Sendable () async throws -> TransportResponse? = { nil }) {
        self.refusals = refusals
        self.refresh = refresh
    }

    var log: [String] { state.withLock { $0.log } }

    func count(_ path: String) -> Int { log.filter { $0 == path }.count }

    func changeToken(to token: String) { state.withLock { $0.token = token } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let path = request.url.path
        let token = state.withLock { state in
            state.log.append(path)
            return state.token
        }
        if path == "/auth" {
            if let answer = try await refresh() { return answer }
            return TransportResponse(httpStatus: 200, data: Data(#"{"token": "\#(token)"}"#.utf8))
        }
        if path == "/forbidden" { return TransportResponse(httpStatus: 403) }
        let carried = request.headers["Authorization"]
        if carried == "Bearer old" { try await refusals?.wait() }
        let isRefused = carried != "Bearer \(token)" || path == "/never"
        return TransportResponse(
            httpStatus: isRefused ? 401 : 200,
            data: Data((isRefused ? "refused" : "welcome").utf8)
        )
    }
}
