import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

@Suite("A caller's session", .timeLimit(.minutes(5)))
struct CallersSessionTests {
    private let warnings = Recorder<String>()

    private func client(
        _ server: RawServer,
        _ configuration: URLSessionConfiguration,
        jar: CookieJar? = nil
    ) -> SimpleNetworking {
        SimpleNetworking(baseURL: server.url(), session: URLSession(configuration: configuration)) {
            $0.cookieJar = jar
            $0.logger = RequestLogger { [warnings] level, text in warnings.add("\(level): \(text)") }
        }
    }

    /// A session's configuration with a cookie for every server here.
    private func configurationWithCookie(_ value: String = "theirs") throws -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        let properties: [HTTPCookiePropertyKey: Any] = [
            .name: "id", .value: value, .domain: "127.0.0.1", .path: "/",
        ]
        configuration.httpCookieStorage?.setCookie(try #require(HTTPCookie(properties: properties)))
        return configuration
    }

    // MARK: Cookies

    @Test(arguments: [true, false])
    func itsCookiesDoNotReplaceOursOrTheLogSaysSoOnce(isFromJar: Bool) async throws {
        let server = try RawServer { .echo($0) }
        let jar = CookieJar()
        jar.store(["Set-Cookie": "id=ours; Path=/"], from: server.url())
        let client = client(server, try configurationWithCookie(), jar: isFromJar ? jar : nil)
        if !isFromJar { client.headers["Cookie"] = "id=ours" }
        for _ in 1...2 { await client.get("/").ended() }
        let sent = server.requests.map { $0[header: "Cookie"] }
        if Engine.callersSession.lacks(.cookielessSessions) {
            #expect(sent == ["id=theirs", "id=theirs"])
            #expect(warnings.elements.count == 1)
            #expect(warnings.elements.first?.contains("httpShouldSetCookies = false") == true)
            #expect(warnings.elements.first?.hasPrefix("warning: ") == true)
        } else {
            #expect(sent == ["id=ours", "id=ours"])
            #expect(warnings.elements.isEmpty)
        }
    }

    @Test
    func itsCookiesAfterTheJarWasEmptiedAreWarnedOf() async throws {
        let server = try RawServer { .echo($0) }
        let jar = CookieJar()
        let client = client(server, try configurationWithCookie(), jar: jar)
        jar.store(["Set-Cookie": "id=theirs; Path=/"], from: server.url())
        await client.get("/").ended()
        #expect(warnings.elements.isEmpty)
        jar.removeAll()
        await client.get("/").ended()
        #expect(warnings.elements.count == (Engine.callersSession.lacks(.cookielessSessions) ? 1 : 0))
    }

    @Test
    func oneThatSetsNoCookiesLeavesOursAloneAndNothingIsWarnedOf() async throws {
        let server = try RawServer { .echo($0) }
        let configuration = try configurationWithCookie()
        configuration.httpShouldSetCookies = false
        let client = client(server, configuration)
        client.headers["Cookie"] = "id=ours"
        await client.get("/").ended()
        #expect(server.requests.first?[header: "Cookie"] == "id=ours")
        #expect(warnings.elements.isEmpty)
    }

    // MARK: Mocks

    @Test(arguments: Engine.sessions)
    func aStubbedProtocolSeesTheContent(engine: Engine) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [MirrorProtocol.self]
        let transport = try engine.transport(configuration: configuration)
        let client = SimpleNetworking(host: "example.invalid") { $0.transport = transport }
        let request = SimpleNetworking.post("/x").body(json: ["name": "Ada"])
        #expect(try await withinSeconds(120) { try await client.send(request).text } == #"{"name":"Ada"}"#)
    }

    // MARK: Challenges

    @Test(arguments: [NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest])
    func aProxysChallengeIsLeftToFoundation(method: String) throws {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let refusal = HTTPURLResponse(url: url, statusCode: 407, httpVersion: nil, headerFields: [:])
        let challenge = URLAuthenticationChallenge(
            protectionSpace: URLProtectionSpace(
                proxyHost: "127.0.0.1",
                port: 3128,
                type: NSURLProtectionSpaceHTTPProxy,
                realm: nil,
                authenticationMethod: method
            ),
            proposedCredential: nil,
            previousFailureCount: 0,
            failureResponse: refusal,
            error: nil,
            sender: NoSender()
        )
        let session = URLSession(configuration: .ephemeral)
        let exchange = Exchange(
            TransportRequest(head: RequestHead(url: url)),
            on: DispatchQueue(label: "test")
        )
        let replies = Recorder<URLSession.AuthChallengeDisposition>()
        exchange.handle(challenge, of: session.dataTask(with: url), in: session, CallersDelegate(nil)) {
            disposition,
            _ in replies.add(disposition)
        }
        #expect(replies.elements == [.performDefaultHandling])
        #expect(!exchange.isOver)
    }

    // MARK: What cannot be

    @Test(arguments: Engine.sessions)
    func aBackgroundConfigurationEndsInAnErrorThatNamesIt(engine: Engine) async throws {
        let server = try RawServer { .echo($0) }
        #if canImport(Darwin)
            let configuration = URLSessionConfiguration.background(withIdentifier: UUID().uuidString)
        #else
            let configuration = URLSessionConfiguration.ephemeral
            configuration.identifier = "com.example.transfers"
        #endif
        let transport = try engine.transport(configuration: configuration)
        let error = await #expect(throws: SimpleNetworkingError.self) { try await transport.get(server.url()) }
        #expect(error.map(name(of:)) == "invalidRequest")
        #expect(error.map { "\($0)".contains("background session") } == true)
        #expect(server.log.opened == 0)
    }

    // MARK: Pauses

    @Test(arguments: Engine.sessions)
    func pausesAreLimitedInWholeSeconds(engine: Engine) async throws {
        let server = try RawServer { $0.path == "/drip" ? .drip("01234567", every: 0.6) : .stalled }
        let transport = try engine.transport()
        #expect(try await transport.get(server.url("/drip")) { $0.idleTimeout = 3.5 }.text == "01234567")
        let start = ContinuousClock.now
        let end = await transport.end(of: server.url()) { $0.idleTimeout = 0.5 }
        #expect(end == "\(SimpleNetworkingError.Timeout.idle(0.5))")
        #expect(start.duration(to: .now) >= .milliseconds(500))
    }

    @Test(arguments: [(0, 1), (0.3, 1), (2, 2), (2.1, 3), (-5, 1), (.infinity, 1e8), (.nan, 3600)])
    func foundationsOwnLimitIsThatOfPauses(limit: TimeInterval, interval: TimeInterval) throws {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        var request = TransportRequest(head: RequestHead(url: url), timeout: .infinity)
        request.idleTimeout = limit
        #expect(try request.makeURLRequest(isForMock: false).timeoutInterval == interval)
    }
}

/// Responds with the content that it sees.
private final class MirrorProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:])
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: content)
        client?.urlProtocolDidFinishLoading(self)
    }

    private var content: Data {
        #if canImport(Darwin)
            guard let stream = request.httpBodyStream else { return Data("no stream".utf8) }
            stream.open()
            defer { stream.close() }
            var bytes = [UInt8](repeating: 0, count: 4096)
            return Data(bytes.prefix(max(stream.read(&bytes, maxLength: bytes.count), 0)))
        #else
            request.httpBody ?? Data("no body".utf8)
        #endif
    }
}
