import Foundation
import Testing

@testable import SimpleNetworking

@Suite("URLSessionTransport", .timeLimit(.minutes(1)))
struct URLSessionTransportTests {
    @Test(arguments: URLSessionDriving.allCases)
    func methodHeadersAndContentArriveAsGiven(driving: URLSessionDriving) async throws {
        let server = try RawServer { .echo($0) }
        let head = RequestHead(
            method: "PATCH",
            url: server.url("/a%20b?x=1&y=%2B"),
            headers: ["X-One": "1", "Content-Type": "text/plain"]
        )
        let response = try await driving.transport().send(TransportRequest(head: head, body: .data(Data("hello".utf8))))
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "application/json")
        let request = try #require(server.requests.first)
        #expect(request.method == "PATCH")
        #expect(request.target == "/a%20b?x=1&y=%2B")
        #expect(request[header: "x-one"] == "1")
        #expect(request[header: "content-type"] == "text/plain")
        #expect(request.text == "hello")
        #expect(response.metrics.bytesSent == 5)
        #expect(response.metrics.bytesReceived == response.body.count)
        #expect(response.metrics.total > 0)
    }

    @Test(arguments: URLSessionDriving.allCases, ["PROPFIND", "M-SEARCH", "DELETE", "patch", "OPTIONS"])
    func anyTokenIsAMethod(driving: URLSessionDriving, method: String) async throws {
        let server = try RawServer { .echo($0) }
        let head = RequestHead(method: HTTPMethod(rawValue: method), url: server.url())
        _ = try await driving.transport().send(TransportRequest(head: head))
        #expect(server.requests.map(\.method) == [method])
    }

    @Test(arguments: URLSessionDriving.allCases)
    func aRequestWithoutContentNamesNoContentType(driving: URLSessionDriving) async throws {
        let server = try RawServer { .echo($0) }
        let head = RequestHead(method: .post, url: server.url())
        _ = try await driving.transport().send(TransportRequest(head: head))
        _ = try await driving.transport().send(TransportRequest(head: head, body: .data(Data())))
        #expect(server.requests.map { $0[header: "Content-Type"] } == [nil, nil])
        #expect(server.requests.map { $0[header: "Content-Length"] } == ["0", "0"])
    }

    @Test(arguments: URLSessionDriving.allCases)
    func contentWithoutATypeIsNotCalledAForm(driving: URLSessionDriving) async throws {
        let server = try RawServer { .echo($0) }
        let head = RequestHead(method: .post, url: server.url())
        _ = try await driving.transport().send(TransportRequest(head: head, body: .data(Data("x".utf8))))
        #expect(server.requests.first?[header: "Content-Type"] == "application/octet-stream")
    }

    @Test(arguments: URLSessionDriving.allCases)
    func headBringsHeadersAndNoContent(driving: URLSessionDriving) async throws {
        let server = try RawServer { _ in .response(headers: ["X-Is": "there"], body: "hello") }
        let head = RequestHead(method: .head, url: server.url())
        let response = try await driving.transport().send(TransportRequest(head: head, maxResponseSize: 1))
        #expect(response.headers["X-Is"] == "there")
        #expect(response.body.isEmpty)
    }

    @Test(arguments: URLSessionDriving.allCases)
    func informationalAnswersAreNotSeen(driving: URLSessionDriving) async throws {
        let server = try RawServer { _ in .earlyHints(body: "late") }
        let response = try await driving.transport().get(server.url())
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self) == "late")
    }

    @Test(arguments: URLSessionDriving.allCases, [204, 205, 300, 304, 400, 404, 418, 500, 599])
    func everyStatusIsAnAnswer(driving: URLSessionDriving, status: Int) async throws {
        let server = try RawServer { _ in .response(status: status, body: status == 205 ? "" : "content") }
        let response = try await driving.transport().get(server.url())
        #expect(response.status == status)
        #expect(String(decoding: response.body, as: UTF8.self) == ([204, 205, 304].contains(status) ? "" : "content"))
    }

    @Test(arguments: URLSessionDriving.allCases, [301, 302, 303, 307, 308])
    func redirectsAreReturnedAndNotFollowed(driving: URLSessionDriving, status: Int) async throws {
        let server = try RawServer { $0.path == "/" ? .redirect(to: "/next", status: status) : .response(body: "no") }
        let head = RequestHead(method: .post, url: server.url(), headers: ["Content-Type": "text/plain"])
        let response = try await driving.transport().send(TransportRequest(head: head, body: .data(Data("x".utf8))))
        #expect(response.status == status)
        #expect(response.headers["Location"] == "/next")
        #expect(server.requests.map(\.path) == ["/"])
        if driving == .own { #expect(String(decoding: response.body, as: UTF8.self) == "moved") }
    }

    @Test(
        arguments: URLSessionDriving.allCases,
        [
            #"Basic realm="a""#, #"Digest realm="a", nonce="b""#, #"Bearer realm="a""#,
            #"Digest realm="a", Basic realm="b""#,
        ]
    )
    func aRefusalArrivesWithItsContent(driving: URLSessionDriving, challenge: String) async throws {
        let server = try RawServer { _ in .unauthorized(challenge, body: "who are you?") }
        let transport = driving.transport()
        for headers in [[:], ["Authorization": "Basic d3Jvbmc6d3Jvbmc="]] as [HTTPHeaders] {
            let head = RequestHead(url: server.url(), headers: headers)
            let response = try await withinSeconds(30) { try await transport.send(TransportRequest(head: head)) }
            #expect(response.status == 401)
            #expect(response.headers["WWW-Authenticate"] == challenge)
            #expect(String(decoding: response.body, as: UTF8.self) == "who are you?")
        }
        let response = try await transport.get(server.url())
        #expect(response.status == 401)
        #expect(server.requests.count == 3)
    }

    @Test(arguments: URLSessionDriving.allCases)
    func aRefusalOfContentArrivesWithItsContent(driving: URLSessionDriving) async throws {
        let large = String(repeating: "no ", count: 100_000)
        let server = try RawServer { _ in .unauthorized(body: large) }
        let head = RequestHead(method: .post, url: server.url())
        let response = try await withinSeconds(30) {
            try await driving.transport().send(TransportRequest(head: head, body: .data(Data("x".utf8))))
        }
        #expect(response.status == 401)
        #expect(response.body.count == 300_000)
    }

    @Test(arguments: URLSessionDriving.allCases)
    func anUpperCaseSchemeWorks(driving: URLSessionDriving) async throws {
        let server = try RawServer { _ in .response(body: "ok") }
        let url = try #require(URL(string: "HTTP://127.0.0.1:\(server.port)/x"))
        #expect(try await driving.transport().get(url).status == 200)
    }

    @Test(arguments: URLSessionDriving.allCases)
    func compressedContentArrivesDecompressed(driving: URLSessionDriving) async throws {
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA=="))
        let server = try RawServer { _ in .response(headers: ["Content-Encoding": "gzip"], data: gzip) }
        let response = try await driving.transport().get(server.url())
        #expect(String(decoding: response.body, as: UTF8.self) == "hello")
        #expect(response.metrics.bytesReceived == gzip.count)
    }

    @Test(arguments: URLSessionDriving.allCases, [0, 0.2, 1.9, -5, .infinity, .nan, 1e16, .greatestFiniteMagnitude])
    func noTimeoutHurtsARequest(driving: URLSessionDriving, timeout: TimeInterval) async throws {
        let server = try RawServer { _ in .response() }
        let head = RequestHead(url: server.url())
        #expect(try await driving.transport().send(TransportRequest(head: head, timeout: timeout)).status == 200)
    }

    @Test(arguments: [0, 0.2, 1.9, 60, -5, .infinity, .nan, 1e16])
    func foundationsTimeoutIsWholeAndPassesAfterOurs(timeout: TimeInterval) throws {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let request = TransportRequest(head: RequestHead(url: url), timeout: timeout)
        let interval = try request.makeURLRequest(isForSubclass: false).timeoutInterval
        #expect(interval == interval.rounded() && interval >= 1 && interval <= 1e8)
        if timeout <= 60 { #expect(interval > timeout) }
    }

    @Test(arguments: URLSessionDriving.allCases)
    func aStubbedProtocolIsAsked(driving: URLSessionDriving) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StubProtocol.self]
        let transport = driving.transport(configuration)
        let url = try #require(URL(string: "http://example.invalid/x"))
        let response = try await withinSeconds(30) { try await transport.get(url) }
        #expect(response.status == 203)
        #expect(String(decoding: response.body, as: UTF8.self) == "stubbed")
    }

    @Test
    func aCallersDelegateMayStillAnswerAChallenge() async throws {
        let server = try RawServer { $0[header: "Authorization"] == nil ? .unauthorized() : .response(body: "welcome") }
        let session = URLSession(configuration: .ephemeral, delegate: CredentialDelegate(), delegateQueue: nil)
        let response = try await withinSeconds(30) { try await URLSessionTransport(session: session).get(server.url()) }
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self) == "welcome")
    }

    @Test
    func endlessTimesInAConfigurationDoNoHarm() async throws {
        let server = try RawServer { _ in .response() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = .infinity
        configuration.timeoutIntervalForResource = .infinity
        #expect(try await URLSessionTransport(configuration: configuration).get(server.url()).status == 200)
    }
}

extension URLSessionTransport {
    func get(_ url: URL) async throws -> TransportResponse {
        try await send(TransportRequest(head: RequestHead(url: url), timeout: 10))
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
