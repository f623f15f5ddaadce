import Foundation
import Testing

@testable import SimpleNetworking

@Suite("URLSessionTransport refuses what must not be sent", .timeLimit(.minutes(1)))
struct URLSessionRefusalTests {
    private func refusal(
        _ driving: URLSessionDriving,
        _ head: RequestHead,
        _ body: RequestBody = .none
    ) async -> String? {
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await driving.transport().send(TransportRequest(head: head, body: body))
        }
        return error.map(name(of:))
    }

    static let badFields: [HTTPHeaders] = [
        ["X-A": "b\r\nX-Evil: 1"], ["X-A": "b\nX-Evil: 1"], ["X-A": "a\r\n X-Evil: 1"], ["X-A": "b\u{0}c"],
        ["X-A": "b\rc"],
        ["X-A: b\r\nX-Evil": "1"], ["X A": "b"], ["": "b"], ["X-A:": "b"], ["Ümlaut": "b"],
    ]

    @Test(arguments: URLSessionDriving.allCases, badFields)
    func headersThatCouldAddOthers(driving: URLSessionDriving, headers: HTTPHeaders) async throws {
        let server = try RawServer { .echo($0) }
        #expect(await refusal(driving, RequestHead(url: server.url(), headers: headers)) == "invalidRequest")
        #expect(server.log.opened == 0)
    }

    @Test(arguments: URLSessionDriving.allCases, ["", "GET / HTTP/1.1\r\nX-Evil: 1\r\n", "M SEARCH", "GÉT", "A\u{0}"])
    func methodsThatAreNoTokens(driving: URLSessionDriving, method: String) async throws {
        let server = try RawServer { .echo($0) }
        let head = RequestHead(method: HTTPMethod(rawValue: method), url: server.url())
        #expect(await refusal(driving, head) == "invalidRequest")
        #expect(server.log.opened == 0)
    }

    @Test(
        arguments: URLSessionDriving.allCases,
        ["data:text/plain,x", "file:///etc/hosts", "ftp://127.0.0.1/x", "mailto:a@b.c", "http:///x", "relative"]
    )
    func addressesThatAreNotHTTP(driving: URLSessionDriving, address: String) async throws {
        let url = try #require(URL(string: address))
        #expect(await refusal(driving, RequestHead(url: url)) == "invalidURL")
    }

    @Test(
        arguments: URLSessionDriving.allCases,
        ["Content-Length": "5", "Transfer-Encoding": "chunked"] as HTTPHeaders
    )
    func aFrameThatDoesNotFitTheContent(driving: URLSessionDriving, field: HTTPHeaders.Field) async throws {
        let server = try RawServer { .mirror($0) }
        for body in [RequestBody.none, .data(Data("abc".utf8))] {
            let head = RequestHead(method: .post, url: server.url(), headers: HTTPHeaders(fields: [field]))
            let response = try await withinSeconds(30) {
                try await driving.transport().send(TransportRequest(head: head, body: body))
            }
            #expect(response.body.count == body.length)
        }
    }

    @Test(arguments: URLSessionDriving.allCases, ["GET", "get"])
    func contentWithGet(driving: URLSessionDriving, method: String) async throws {
        let server = try RawServer { .echo($0) }
        let head = RequestHead(method: HTTPMethod(rawValue: method), url: server.url())
        #expect(await refusal(driving, head, .data(Data("x".utf8))) == "invalidRequest")
        #expect(server.log.opened == 0)
    }

    #if !canImport(Darwin)
        @Test(arguments: URLSessionDriving.allCases)
        func anIPv6LiteralIsReachedOrClearlyRefused(driving: URLSessionDriving) async throws {
            let url = try #require(URL(string: "http://[::1]:9/"))
            let error = await #expect(throws: (any Error).self) { try await driving.transport().get(url) }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("IPv6") || text.contains(NetworkFailure.Kind.cannotConnect.rawValue))
        }
    #endif

    @Test
    func aConfigurationsHeadersThatCouldAddOthers() async throws {
        let server = try RawServer { .echo($0) }
        for driving in URLSessionDriving.allCases {
            for headers in [["X-A": "b\r\nX-Evil: 1"], ["X-A: b\r\nX-Evil": "1"]] {
                let configuration = URLSessionConfiguration.ephemeral
                configuration.httpAdditionalHeaders = headers
                let transport = driving.transport(configuration)
                let error = await #expect(throws: SimpleNetworkingError.self) { try await transport.get(server.url()) }
                #expect(error.map(name(of:)) == "invalidRequest")
            }
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
        _ = try await transport.send(
            TransportRequest(head: RequestHead(url: server.url(), headers: ["x-mine": "mine"]))
        )
        let request = try #require(server.requests.first)
        #expect(request[header: "X-Number"] == "5")
        #expect(request[header: "7"] == "seven")
        #expect(request[header: "X-Text"] == "text")
        #expect(request[header: "X-Mine"] == "mine")
        #expect((configuration.httpAdditionalHeaders?["X-Number"] as? Int) == 5)
    }
}
