#if canImport(CLibcurl)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    @Suite("CurlTransport and header fields", .timeLimit(.minutes(1)))
    struct CurlHeaderTests {
        @Test
        func fieldsAreSentAsWrittenAndRepeatedOnesKept() async throws {
            let server = try RawServer { .echo($0) }
            let headers: HTTPHeaders = [
                "X-a": "1", "x-A": "2", "X-Empty": "", "X-City": "Malmö", "X-Blank": " padded ",
            ]
            let lines = try await curl().get(server.url(), headers: headers).echoedHeaders
            for line in ["X-a: 1", "x-A: 2", "X-Empty:", "X-City: Malmö"] { #expect(lines.contains(line), "\(lines)") }
        }

        @Test
        func nothingIsAddedThatNobodyAskedFor() async throws {
            let server = try RawServer { .echo($0) }
            let body = RequestBody.data(Data(repeating: 65, count: 3 << 20))
            let lines = try await curl().get(server.url(), method: .post, body: body).echoedHeaders
            let names = lines.map { $0.prefix { $0 != ":" } }
            #expect(Set(names) == ["Host", "Accept", "Accept-Encoding", "Content-Length"])
        }

        @Test
        func theLengthIsTakenFromTheContent() async throws {
            let server = try RawServer { .echo($0) }
            let headers: HTTPHeaders = ["Content-Length": "1", "Transfer-Encoding": "chunked"]
            let response = try await curl().get(
                server.url(),
                method: .post,
                headers: headers,
                body: .data(Data("abc".utf8))
            )
            #expect(response.echo["body"] as? String == "abc")
            #expect(server.requests.first?[header: "Transfer-Encoding"] == nil)
        }

        @Test(
            arguments: [
                ("X-A", "a\r\nX-Evil: 1"), ("X-A", "a\nb"), ("X-A", "a\rb"), ("X-A", "a\u{0}b"), ("X-A\r\nX-Evil", "1"),
                ("X A", "1"), ("", "1"), ("X:A", "1"), ("X\u{0}", "1"), ("Ä", "1"), ("X-A", "a\r\n folded"),
            ] as [(String, String)]
        )
        func aFieldThatCouldMeanSomethingElseIsRefused(name: String, value: String) async throws {
            let server = try RawServer { .echo($0) }
            #expect(try await curl().end(of: server.url()) { $0.headers.append(name, value) } == "invalidRequest")
            #expect(server.log.opened == 0)
        }

        @Test(arguments: ["", "GET /evil HTTP/1.1\r\n", "G T", "GET\u{0}"])
        func aMethodThatIsNoTokenIsRefused(method: String) async throws {
            let server = try RawServer { .echo($0) }
            let end = try await curl().end(of: server.url()) { $0.method = HTTPMethod(rawValue: method) }
            #expect(end == "invalidRequest")
            #expect(server.log.opened == 0)
        }

        @Test(arguments: [
            "ftp://127.0.0.1/", "file:///etc/passwd", "gopher://a/", "http:///x", "/x", "http://:80/", "dict:a",
        ])
        func onlyWebAddressesWithAHostAreSent(text: String) async throws {
            let url = try #require(URL(string: text))
            #expect(try await curl().end(of: url) == "invalidURL")
        }

        @Test
        func informationalAnswersAreNeverSeen() async throws {
            let server = try RawServer { _ in .earlyHints(body: "late") }
            let response = try await curl().get(server.url())
            #expect(response.status == 200 && response.text == "late")
            #expect(!response.headers.contains("Link"))
        }

        @Test
        func trailersDoNotPassForHeaderFields() async throws {
            let server = try RawServer { _ in
                .chunked(["hel", "lo"], trailers: ["X-Sum: 42", "HTTP/1.1 500 Trick: 1", "Content-Type: text/evil"])
            }
            let transport = try curl()
            for _ in 0..<3 {
                let response = try await transport.get(server.url())
                #expect(response.status == 200 && response.text == "hello")
                #expect(response.headers.names == ["Transfer-Encoding"])
            }
            #expect(server.log.opened == 1)
        }

        @Test(
            arguments: [
                ("X-City: Malm\u{F6}", "X-City", "Malmö"),
                ("X-Empty:", "X-Empty", ""),
                ("X-Padded: \t a b \t", "X-Padded", "a b"),
                ("X-Tight:a", "X-Tight", "a"),
                ("X-Folded: a\r\n  b\r\n\tc", "X-Folded", "a b c"),
                ("eTaG: 1", "eTaG", "1"),
                ("X-Colons: a:b:c", "X-Colons", "a:b:c"),
            ] as [(String, String, String)]
        )
        func unusualFieldsAreRead(line: String, name: String, value: String) async throws {
            // One byte for each character, as Latin-1 has it.
            let bytes = Data(
                "HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 2\r\n\r\nok".unicodeScalars.map { UInt8($0.value) }
            )
            let server = try RawServer { _ in RawServer.Reply([.send(bytes)]) }
            let response = try await curl().get(server.url())
            #expect(response.headers.fields.first == HTTPHeaders.Field(name, value))
            #expect(response.text == "ok")
        }

        @Test
        func fieldsInUTF8AreRead() async throws {
            let server = try RawServer { _ in .response(headers: ["X-City": "Malmö 東京"]) }
            #expect(try await curl().get(server.url()).headers["X-City"] == "Malmö 東京")
        }

        @Test
        func setCookieFieldsStayApart() async throws {
            let server = try RawServer { _ in
                .response(headers: ["Set-Cookie": "a=1; Expires=Wed, 09", "set-cookie": "b=2"])
            }
            let headers = try await curl().get(server.url()).headers
            #expect(headers.values(for: "Set-Cookie") == ["a=1; Expires=Wed, 09", "b=2"])
        }

        @Test(arguments: ["HTTP/1.1 200", "HTTP/1.1 200 ", "HTTP/1.0 200 OK"])
        func statusLinesNeedNoReason(line: String) async throws {
            let server = try RawServer { _ in .raw("\(line)\r\nContent-Length: 2\r\n\r\nok") }
            let response = try await curl().get(server.url())
            #expect(response.status == 200 && response.text == "ok")
        }
    }
#endif
