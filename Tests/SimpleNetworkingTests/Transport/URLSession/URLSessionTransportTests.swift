import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite("URLSessionTransport", .timeLimit(.minutes(5)))
struct URLSessionTransportTests {
    @Test(arguments: [0, 0.2, 1.9, 60, -5, .infinity, .nan, 1e16])
    func foundationsTimeoutIsWholeAndPassesAfterOurs(timeout: Double) throws {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let request = TransportRequest(head: RequestHead(url: url), timeout: timeout)
        let interval = try request.makeURLRequest(isForMock: false).timeoutInterval
        #expect(interval == interval.rounded() && interval >= 1 && interval <= 1e8)
        if timeout <= 60 { #expect(interval > timeout) }
    }

    @Test(arguments: Engine.sessions)
    func stubbedProtocolReceivesTheRequest(engine: Engine) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StubProtocol.self]
        let transport = try engine.transport(configuration: configuration)
        let url = try #require(URL(string: "http://example.invalid/x"))
        let response = try await withinSeconds(120) { try await transport.get(url) }
        #expect(response.httpStatus == 203)
        #expect(response.text == "stubbed")
    }

    @Test
    func aCallersDelegateMayStillHandleAChallenge() async throws {
        let server = try RawServer { $0[header: "Authorization"] == nil ? .unauthorized() : .response(body: "welcome") }
        let session = URLSession(configuration: .ephemeral, delegate: CredentialDelegate(), delegateQueue: nil)
        let response = try await withinSeconds(120) {
            try await URLSessionTransport(session: session).get(server.url())
        }
        #expect(response.httpStatus == 200)
        #expect(response.text == "welcome")
    }

    @Test
    func endlessTimesInAConfigurationDoNoHarm() async throws {
        let server = try RawServer { _ in .response() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = .infinity
        configuration.timeoutIntervalForResource = .infinity
        #expect(try await URLSessionTransport(configuration: configuration).get(server.url()).httpStatus == 200)
    }

    @Test(arguments: Engine.sessions)
    func aConfigurationsHeadersThatCouldAddOthersAreRefused(engine: Engine) async throws {
        let server = try RawServer { .echo($0) }
        for headers in [["X-A": "b\r\nX-Evil: 1"], ["X-A: b\r\nX-Evil": "1"]] {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpAdditionalHeaders = headers
            let transport = try engine.transport(configuration: configuration)
            #expect(await transport.end(of: server.url()) == "invalidRequest")
        }
        #expect(server.log.opened == 0)
    }

    @Test
    func aConfigurationsHeadersMayBeAnything() async throws {
        let server = try RawServer { .echo($0) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = [
            "X-Number": 5, 7: "seven", "X-Text": NSString("text"), "X-Mine": "theirs",
        ]
        let transport = URLSessionTransport(configuration: configuration)
        _ = try await transport.get(server.url(), headers: ["x-mine": "mine"])
        let request = try #require(server.requests.first)
        #expect(request[header: "X-Number"] == "5")
        #expect(request[header: "7"] == "seven")
        #expect(request[header: "X-Text"] == "text")
        #expect(request[header: "X-Mine"] == "mine")
        #expect((configuration.httpAdditionalHeaders?["X-Number"] as? Int) == 5)
    }

    @Test
    func anOwnSessionIsInvalidatedWhenItsTransportGoes() async throws {
        let server = try RawServer { .echo($0) }
        weak var router: ExchangeRouter?
        do {
            let transport = URLSessionTransport(configuration: .ephemeral)
            router = transport.router
            _ = try await transport.get(server.url())
            #expect(router != nil)
        }
        // A session holds its delegate until it is invalid.
        try await withinSeconds(120) { [router = Weak(router)] in while router.object != nil { await Task.yield() } }
    }

    @Test
    func aCallersSessionStaysAsItWas() async throws {
        let server = try RawServer { .echo($0) }
        let session = URLSession(configuration: .ephemeral)
        let cache = session.configuration.urlCache
        _ = try await URLSessionTransport(session: session).get(server.url())
        _ = try await URLSessionTransport(session: session).get(server.url())
        #expect(session.configuration.urlCache === cache)
    }
}

private final class StubProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 203, httpVersion: nil, headerFields: [:])
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("stubbed".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }
}

private final class CredentialDelegate: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, URLCredential(user: "a", password: "b", persistence: .none))
    }
}

private final class Weak<Object: AnyObject & Sendable>: Sendable {
    private let box: Locked<() -> Object?>

    init(_ object: Object?) { box = Locked { [weak object] in object } }

    var object: Object? { box.withLock { $0() } }
}
