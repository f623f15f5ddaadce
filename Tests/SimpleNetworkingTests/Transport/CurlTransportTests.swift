#if canImport(CLibcurl)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    @Suite("CurlTransport, ordinary work", .timeLimit(.minutes(1)))
    struct CurlTransportTests {
        @Test
        func aGetBringsStatusHeadersAndContent() async throws {
            let server = try RawServer { _ in .json(#"{"id":1}"#) }
            let response = try await curl().get(server.url("/a/../b?b=c#fragment"))
            #expect(response.status == 200)
            #expect(response.headers["content-type"] == "application/json")
            #expect(response.text == #"{"id":1}"#)
            #expect(server.requests.first?.target == "/a/../b?b=c")
        }

        @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "get"], [nil, "", "body"])
        func everyMethodIsSentAsWrittenWithAndWithoutContent(method: String, body: String?) async throws {
            let server = try RawServer { .echo($0) }
            let transport = try curl()
            let content = body.map { RequestBody.data(Data($0.utf8)) } ?? .none
            // Twice, since a handle is used again.
            for _ in 0..<2 {
                let method = HTTPMethod(rawValue: method)
                let response = try await transport.get(server.url(), method: method, body: content)
                #expect(response.echo["method"] as? String == method.rawValue)
                #expect(response.echo["body"] as? String == body ?? "")
                #expect(try await transport.get(server.url()).echo["method"] as? String == "GET")
            }
            let lengths = server.requests.filter { $0.method == method }.map { $0[header: "Content-Length"] }
            let announces = body != nil || ["POST", "PUT", "PATCH"].contains(method)
            if method != "GET" {
                #expect(lengths == Array(repeating: announces ? "\(body?.count ?? 0)" : nil, count: 2))
            }
        }

        @Test
        func headHasNoContent() async throws {
            let server = try RawServer { _ in .response(body: "content") }
            let transport = try curl()
            let response = try await transport.get(server.url(), method: .head) { $0.maxResponseSize = 1 }
            #expect(response.headers["Content-Length"] == "7")
            #expect(response.body.isEmpty)
            #expect(try await transport.get(server.url()).text == "content")
            #expect(server.log.opened == 1)
        }

        @Test(arguments: [204, 304])
        func someStatusesHaveNoContent(status: Int) async throws {
            let server = try RawServer { _ in .response(status: status) }
            let response = try await curl().get(server.url())
            #expect(response.status == status && response.body.isEmpty)
        }

        @Test(arguments: [301, 302, 303, 307, 308, 400, 404, 407, 500, 599, 999])
        func anyCompleteAnswerIsReturned(status: Int) async throws {
            let server = try RawServer { _ in .redirect(to: "/elsewhere", status: status, body: "moved") }
            let response = try await curl().get(server.url())
            #expect(response.status == status && response.text == "moved")
            #expect(server.requests.count == 1)
        }

        @Test(arguments: [#"Basic realm="a""#, #"Digest realm="a", nonce="b""#, "Bearer", "Negotiate", "NTLM", "?"])
        func anUnauthorizedAnswerIsReturnedWithItsContent(challenge: String) async throws {
            let server = try RawServer { _ in .unauthorized(challenge) }
            let response = try await curl().get(server.url())
            #expect(response.status == 401 && response.text == "who are you?")
            #expect(response.headers["WWW-Authenticate"] == challenge)
            #expect(server.requests.count == 1)
        }

        @Test
        func cookiesAreNeitherKeptNorSent() async throws {
            let server = try RawServer { _ in .response(headers: ["Set-Cookie": "a=b"]) }
            let transport = try curl()
            for _ in 0..<2 { _ = try await transport.get(server.url()) }
            #expect(server.requests.allSatisfy { $0[header: "Cookie"] == nil })
        }

        @Test
        func connectionsAreUsedAgain() async throws {
            let server = try RawServer { _ in .response(body: "ok") }
            let transport = try curl()
            for _ in 0..<50 { #expect(try await transport.get(server.url()).text == "ok") }
            #expect(server.log.opened == 1)
        }

        @Test
        func aConnectionThatTheServerClosedIsReplaced() async throws {
            let server = try RawServer { $0.path == "/reused" ? .closedIfReused($0) : .closingQuietly() }
            let transport = try curl()
            for _ in 0..<20 {
                #expect(try await transport.get(server.url()).status == 200)
                await server.wait { $0.closed == $0.opened }
            }
            for _ in 0..<20 { #expect(try await transport.get(server.url("/reused")).text == "fresh") }
            // The body goes out again with the request.
            let response = try await transport.get(server.url("/reused"), method: .post, body: .data(Data("abc".utf8)))
            #expect(response.text == "fresh" && server.requests.last?.text == "abc")
        }

        @Test
        func metricsTellTheStoryOfTheTransfer() async throws {
            let server = try RawServer { _ in .response(body: "12345") }
            let transport = try curl()
            let first = try await transport.get(server.url(), method: .post, body: .data(Data("abc".utf8))).metrics
            #expect(first.bytesSent == 3 && first.bytesReceived == 5)
            #expect(first.isReusedConnection == false && first.protocolName == "http/1.1")
            #expect(first.remoteAddress == "127.0.0.1" && first.secureConnect == nil)
            #expect(try #require(first.connect) <= #require(first.firstByte))
            #expect(try #require(first.firstByte) <= first.total && first.total > 0)
            let second = try await transport.get(server.url()).metrics
            #expect(second.isReusedConnection == true && second.connect == nil && second.bytesSent == 0)
        }

        @Test
        func anIPv6LiteralIsAnAddress() async throws {
            let server = try OneShotServer("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nsix", isIPv6: true)
            let url = try #require(URL(string: "http://[::1]:\(server.port)/"))
            let response = try await curl().get(url)
            #expect(response.text == "six" && response.metrics.remoteAddress == "::1")
        }

        @Test
        func itKeepsTimeoutsAndKnowsItsLibrary() throws {
            #expect(try curl().keepsTimeouts)
            #expect(CurlTransport.libraryVersion?.isEmpty == false)
        }
    }
#endif
