import Foundation
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite("Every engine: responses", .serialized, .timeLimit(.minutes(5)))
struct EngineResponseTests {
    @Test(arguments: Engine.allCases)
    func getReturnsStatusHeadersAndContent(engine: Engine) async throws {
        let server = try RawServer { _ in .json(#"{"id":1}"#) }
        let response = try await engine.transport().get(server.url("/a%20b?b=%2B#fragment"))
        #expect(response.httpStatus == 200)
        #expect(response.headers["content-type"] == "application/json")
        #expect(response.text == #"{"id":1}"#)
        #expect(server.requests.first?.target == "/a%20b?b=%2B")
    }

    @Test(arguments: Engine.allCases, [200, 299, 300, 400, 404, 407, 418, 500, 599, 999])
    func everyStatusIsAResponse(engine: Engine, status: Int) async throws {
        let server = try RawServer { _ in .response(status: status, body: "content") }
        let response = try await engine.transport().get(server.url())
        #expect(response.httpStatus == status && response.text == "content")
        #expect(server.requests.count == 1)
    }

    @Test(arguments: Engine.allCases, [204, 205, 304])
    func someStatusesHaveNoContent(engine: Engine, status: Int) async throws {
        let server = try RawServer { _ in .response(status: status) }
        let transport = try engine.transport()
        for _ in 0..<2 {
            let response = try await transport.get(server.url())
            #expect(response.httpStatus == status && response.data.isEmpty)
        }
    }

    @Test(arguments: Engine.allCases)
    func aLastChunkAloneIsEmptyContent(engine: Engine) async throws {
        let server = try RawServer { _ in .chunked([]) }
        let response = try await engine.transport().get(server.url())
        #expect(response.httpStatus == 200 && response.data.isEmpty)
    }

    @Test(arguments: Engine.allCases, [301, 302, 303, 307, 308])
    func redirectsAreReturnedAndNotFollowed(engine: Engine, status: Int) async throws {
        let server = try RawServer { $0.path == "/" ? .redirect(to: "/next", status: status) : .response(body: "no") }
        let transport = try engine.transport()
        let response = try await transport.get(server.url(), method: .put, body: .data(Data("x".utf8)))
        #expect(response.httpStatus == status)
        #expect(response.headers["Location"] == "/next")
        #expect(response.text == (engine.lacks(.contentOfRedirects) ? "" : "moved"))
        #expect(server.requests.map(\.path) == ["/"])
    }

    @Test(
        arguments: Engine.allCases,
        [
            #"Basic realm="a""#, #"Digest realm="a", nonce="b""#, #"Digest realm="a", Basic realm="b""#,
            #"Bearer realm="a""#, "Negotiate", "NTLM", "?",
        ]
    )
    func aRefusalArrivesWithItsContent(engine: Engine, challenge: String) async throws {
        let server = try RawServer { _ in .unauthorized(challenge) }
        let transport = try engine.transport()
        for headers in [[:], ["Authorization": "Basic d3Jvbmc6d3Jvbmc="], [:]] as [HTTPHeaders] {
            let response = try await withinSeconds(120) { try await transport.get(server.url(), headers: headers) }
            #expect(response.httpStatus == 401 && response.text == "who are you?")
            #expect(response.headers["WWW-Authenticate"] == challenge)
        }
        #expect(server.requests.count == 3)
    }

    @Test(arguments: Engine.allCases)
    func unauthorizedResponseToAPostArrivesWithItsContent(engine: Engine) async throws {
        let large = String(repeating: "no ", count: 100_000)
        let server = try RawServer { _ in .unauthorized(body: large) }
        let transport = try engine.transport()
        let response = try await withinSeconds(120) {
            try await transport.get(server.url(), method: .post, body: .data(Data("x".utf8)))
        }
        #expect(response.httpStatus == 401 && response.data.count == 300_000)
    }

    @Test(arguments: Engine.allCases)
    func informationalResponsesAreNeverSeen(engine: Engine) async throws {
        let server = try RawServer { _ in .earlyHints(body: "late") }
        let response = try await engine.transport().get(server.url())
        #expect(response.httpStatus == 200 && response.text == "late")
        #expect(!response.headers.contains("Link"))
    }

    @Test(arguments: Engine.allCases, ["HTTP/1.1 200", "HTTP/1.1 200 ", "HTTP/1.0 200 OK"])
    func statusLinesNeedNoReason(engine: Engine, line: String) async throws {
        let server = try RawServer { _ in .raw("\(line)\r\nContent-Length: 2\r\n\r\nok") }
        let isMalformed = line == "HTTP/1.1 200" && engine.lacks(.statusesWithoutReason)
        let end = try await engine.transport().end(of: server.url())
        #expect(end == (isMalformed ? NetworkFailure.Kind.malformedResponse.rawValue : "200"))
    }

    @Test(arguments: Engine.allCases)
    func cookiesAreNeitherKeptNorSent(engine: Engine) async throws {
        let server = try RawServer { _ in .response(headers: ["Set-Cookie": "a=b"]) }
        let transport = try engine.transport()
        for _ in 0..<2 { _ = try await transport.get(server.url()) }
        #expect(server.requests.map { $0[header: "Cookie"] } == [nil, engine.lacks(.cookielessSessions) ? "a=b" : nil])
    }

    @Test(arguments: Engine.allCases)
    func anUpperCaseSchemeIsTheSameScheme(engine: Engine) async throws {
        let server = try RawServer { _ in .response() }
        let url = try #require(URL(string: "HTTP://127.0.0.1:\(server.port)/x"))
        #expect(try await engine.transport().get(url).httpStatus == 200)
    }

    @Test(arguments: Engine.allCases)
    func anIPv6LiteralIsReachedOrClearlyRefused(engine: Engine) async throws {
        let server = try GreetingServer("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nsix", isIPv6: true)
        let url = try #require(URL(string: "http://[::1]:\(server.port)/"))
        let transport = try engine.transport()
        guard engine.lacks(.ipv6Literals) else {
            #expect(try await transport.get(url).text == "six")
            return
        }
        let error = await #expect(throws: SimpleNetworkingError.self) { try await transport.get(url) }
        #expect(error.map(name(of:)) == "invalidURL")
        #expect(error.map { "\($0)".contains("IPv6") } == true)
    }

    @Test(arguments: Engine.allCases)
    func metricsDescribeTheTransfer(engine: Engine) async throws {
        let server = try RawServer { _ in .response(body: "12345") }
        let transport = try engine.transport()
        let first = try await transport.get(server.url(), method: .post, body: .data(Data("abc".utf8))).metrics
        #expect(first.bytesSent == 3 && first.bytesReceived == 5 && first.total > 0)
        let second = try await transport.get(server.url()).metrics
        #expect(second.bytesSent == 0)
        guard !engine.lacks(.timesOfTransfer) else {
            #expect(first.connect == nil && first.remoteAddress == nil && first.isReusedConnection == nil)
            return
        }
        #expect(first.isReusedConnection == false && first.protocolName == "http/1.1")
        #expect(first.remoteAddress == "127.0.0.1" && first.secureConnect == nil)
        #expect(try #require(first.connect) <= #require(first.firstByte))
        #expect(try #require(first.firstByte) <= first.total)
        #expect(second.isReusedConnection == true && second.connect == nil)
    }
}
