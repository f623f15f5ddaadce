import Foundation
import Testing

@testable import SimpleNetworkingCore

@Suite("Every engine: header fields", .serialized, .timeLimit(.minutes(5)))
struct EngineHeaderTests {
    @Test(arguments: Engine.allCases)
    func fieldsArriveAsGiven(engine: Engine) async throws {
        let server = try RawServer { .echo($0) }
        // Names keep their spelling, too.
        let headers: HTTPHeaders = ["X-one": "1", "Content-Type": "text/plain", "X-City": "Malmö", "ETag": "a"]
        _ = try await engine.transport().get(server.url(), method: .post, headers: headers, body: .data(Data([65])))
        let request = try #require(server.requests.first)
        for field in headers.fields { #expect(request[header: field.name] == field.value) }
        #expect(Set(["X-one: 1", "ETag: a"]).isSubset(of: request.headerLines), "\(request.headerLines)")
    }

    @Test(arguments: Engine.allCases, [" a b ", "\ta b\t", "a b  \t ", "   a b"])
    func blanksAroundAValueAreNotSent(engine: Engine, value: String) async throws {
        let server = try RawServer { .echo($0) }
        _ = try await engine.transport().get(server.url(), headers: ["X-A": value])
        #expect(server.requests.first?.headerLines.contains("X-A: a b") == true)
    }

    @Test(arguments: Engine.allCases)
    func repeatedFieldsAreSentEachOrJoined(engine: Engine) async throws {
        let server = try RawServer { .echo($0) }
        let headers: HTTPHeaders = ["X-A": "1", "X-A": "2"]
        _ = try await engine.transport().get(server.url(), headers: headers)
        let request = try #require(server.requests.first)
        #expect(request[header: "X-A"] == "1, 2")
        let count = request.headerLines.count { $0.lowercased().hasPrefix("x-a:") }
        #expect(count == (engine.lacks(.repeatedFields) ? 1 : 2))
    }

    @Test(arguments: Engine.allCases)
    func noFieldIsAdded(engine: Engine) async throws {
        let server = try RawServer { .echo($0) }
        let transport = try engine.transport()
        _ = try await transport.get(server.url(), method: .post, body: .data(Data(repeating: 65, count: 3 << 20)))
        let request = try #require(server.requests.first)
        #expect(request[header: "Content-Type"] != "application/x-www-form-urlencoded")
        #expect(request[header: "Expect"] == nil)
        #expect(request[header: "Cookie"] == nil)
        #expect(request[header: "Authorization"] == nil)
        let names = Set(request.headerLines.map { $0.prefix { $0 != ":" } })
        if engine.lacks(.bareRequests) {
            #expect(names.isSuperset(of: ["Host", "User-Agent"]))
        } else {
            #expect(names == ["Host", "Accept", "Accept-Encoding", "Content-Length"])
        }
        _ = try await transport.get(server.url(), method: .post)
        #expect(server.requests.last?[header: "Content-Type"] == nil)
    }

    @Test(arguments: Engine.allCases)
    func aUserAgentIsTheOneThatWasGiven(engine: Engine) async throws {
        let server = try RawServer { .echo($0) }
        let headers: HTTPHeaders = ["User-Agent": "mine/1", "Accept": "text/plain"]
        _ = try await engine.transport().get(server.url(), headers: headers)
        #expect(server.requests.first?[header: "User-Agent"] == "mine/1")
        #expect(server.requests.first?[header: "Accept"] == "text/plain")
    }

    @Test(
        arguments: Engine.allCases,
        ["Content-Length": "5", "Content-Length": "1", "Transfer-Encoding": "chunked"] as HTTPHeaders
    )
    func theFrameIsTakenFromTheContent(engine: Engine, field: HTTPHeaders.Field) async throws {
        let server = try RawServer { .mirror($0) }
        let transport = try engine.transport()
        for text in ["", "abc"] {
            let headers = HTTPHeaders(fields: [field])
            let body: RequestBody = text.isEmpty ? .none : .data(Data(text.utf8))
            let response = try await withinSeconds(120) {
                try await transport.get(server.url(), method: .post, headers: headers, body: body)
            }
            #expect(response.text == text)
            #expect(server.requests.last?[header: "Transfer-Encoding"] == nil)
        }
    }

    struct Unusual: Sendable, CustomTestStringConvertible {
        let line: String
        let name: String
        let value: String
        var limitation: Limitation?

        var testDescription: String { line }
    }

    static let unusualFields = [
        Unusual(line: "X-City: Malm\u{F6}", name: "X-City", value: "Malmö", limitation: .latin1Fields),
        Unusual(line: "X-Tight:a", name: "X-Tight", value: "a", limitation: .fieldsWithoutBlank),
        Unusual(line: "X-Empty:", name: "X-Empty", value: ""),
        Unusual(line: "X-Folded: a\r\n  b\r\n\tc", name: "X-Folded", value: "a b c"),
        Unusual(line: "X-!#$%&'*+-.^_`|~: a", name: "X-!#$%&'*+-.^_`|~", value: "a"),
        Unusual(line: "X-Colons: a:b:c", name: "X-Colons", value: "a:b:c"),
        Unusual(line: "x-tAg: 1", name: "x-tAg", value: "1"),
        Unusual(line: "X-Utf: \u{C3}\u{B6}", name: "X-Utf", value: "ö"),
    ]

    @Test(arguments: Engine.allCases, unusualFields)
    func unusualFieldsAreRead(engine: Engine, field: Unusual) async throws {
        // One byte for each character, as Latin-1 has it.
        let text = "HTTP/1.1 200 OK\r\n\(field.line)\r\nContent-Length: 2\r\n\r\nok"
        let bytes = Data(text.unicodeScalars.map { UInt8($0.value) })
        let server = try RawServer { _ in RawServer.Reply([.send(bytes)]) }
        let transport = try engine.transport()
        if let limitation = field.limitation, engine.lacks(limitation) {
            #expect(await transport.end(of: server.url()) == NetworkFailure.Kind.malformedResponse.rawValue)
        } else {
            let response = try await transport.get(server.url())
            #expect(response.headers[field.name] == field.value)
            #expect(response.headers.names.contains(field.name))
            #expect(response.text == "ok")
        }
    }

    @Test(arguments: Engine.allCases, ["\r\n a b", "\r\n a\r\n\tb", " a\r\n \t\r\n b", "\r\n \r\n\ta \r\n  b\r\n "])
    func aFoldedValueHasNoBlanksAroundIt(engine: Engine, value: String) async throws {
        guard !engine.lacks(.malformedFields) else { return }
        let server = try RawServer { _ in .raw("HTTP/1.1 200 OK\r\nX-One:\(value)\r\nContent-Length: 2\r\n\r\nok") }
        #expect(try await engine.transport().get(server.url()).headers["X-One"] == "a b")
    }

    @Test(arguments: Engine.allCases, ["X One: a", "HTTP/1.1 500 Trick: 1", "X-One", "X-One : a"])
    func aMalformedTrailerFailsTheResponse(engine: Engine, line: String) async throws {
        guard !engine.lacks(.trailers) else { return }
        let server = try RawServer { _ in .chunked(["hello"], trailers: [line]) }
        let end = try await engine.transport().end(of: server.url())
        #expect(end == NetworkFailure.Kind.malformedResponse.rawValue)
    }

    @Test(arguments: Engine.allCases)
    func namesKeepTheirSpelling(engine: Engine) async throws {
        let server = try RawServer { _ in .response(headers: ["eTaG": "1"]) }
        let headers = try await engine.transport().get(server.url()).headers
        #expect(headers["ETag"] == "1")
        #expect(headers.names.contains("eTaG") != engine.lacks(.spelling))
    }

    @Test(arguments: Engine.allCases)
    func repeatedFieldsOfAResponseStayApartOrAreJoined(engine: Engine) async throws {
        let server = try RawServer { _ in
            .response(headers: ["Set-Cookie": "a=1; Expires=Wed, 09", "Set-Cookie": "b=2", "X-A": "1", "X-A": "b=2"])
        }
        let headers = try await engine.transport().get(server.url()).headers
        #expect(headers.values(for: "Set-Cookie") == ["a=1; Expires=Wed, 09", "b=2"])
        #expect(headers.values(for: "X-A") == (engine.lacks(.repeatedFields) ? ["1, b=2"] : ["1", "b=2"]))
    }

    @Test(arguments: Engine.allCases)
    func aLargeFieldIsRead(engine: Engine) async throws {
        let server = try RawServer { _ in .hugeHeader(bytes: 90 << 10) }
        #expect(try await engine.transport().get(server.url()).headers["X-Huge"]?.utf8.count == 90 << 10)
    }

    @Test(arguments: Engine.allCases)
    func trailersDoNotPassForFields(engine: Engine) async throws {
        // What happens elsewhere is asserted in EngineLimitationTests: it ends the process.
        guard !engine.lacks(.trailers) else { return }
        let server = try RawServer { _ in
            .chunked(["hel", "lo"], trailers: ["X-Sum: 42", "Status: 500", "Content-Type: text/evil"])
        }
        let transport = try engine.transport()
        for _ in 0..<3 {
            let response = try await transport.get(server.url())
            #expect(response.httpStatus == 200 && response.text == "hello")
            #expect(response.headers.names == ["Transfer-Encoding"])
        }
        #expect(server.log.opened == 1)
    }

    #if os(Linux) && compiler(>=6.2)
        /// Heads of which a line that continues none is the first field, or comes after a line that is no field.
        static let strayFolds = [
            " X-Fold: yes\r\n", "\tX-Fold: yes\r\n", "no field\r\n X-Fold: yes\r\n", "a\rb: c\r\n X-Fold: yes\r\n",
            " \r\n", " X-Fold: \(String(repeating: "long ", count: 10_000))\r\n",
        ]

        // In a process of its own, which the second response could end.
        /// libcurl 7.84 to 8.0 frees the last field of the response before once more, if the handle is used again.
        @Test(arguments: Engine.allCases)
        func aFirstFieldThatBeginsWithABlankHarmsNoConnectionThatWasUsedBefore(engine: Engine) async {
            await #expect(processExitsWith: .success) { [engine] in
                let server = try RawServer {
                    guard let number = Int($0.path.dropFirst()) else {
                        return .response(headers: ["X-Field": "value"], body: "fine")
                    }
                    let start = number % 2 == 0 ? "" : "HTTP/1.1 103 Early Hints\r\n\r\n"
                    let fold = Self.strayFolds[number / 2]
                    let rest = "Content-Length: 2\r\n\r\nok"
                    return .raw("\(start)HTTP/1.1 200 OK\r\n\(fold)\(rest)", end: .keepAlive)
                }
                let transport = try engine.transport()
                // RFC 9112 §2.2: the field is ignored, or the message is refused.
                let ends: Set = ["200", NetworkFailure.Kind.malformedResponse.rawValue]
                for number in 0..<Self.strayFolds.count * 2 {
                    for _ in 0..<5 {
                        #expect(try await transport.get(server.url("/fine")).text == "fine")
                        let end = await transport.end(of: server.url("/\(number)"))
                        #expect(ends.contains(end), "\(number): \(end)")
                    }
                }
            }
        }
    #endif
}
