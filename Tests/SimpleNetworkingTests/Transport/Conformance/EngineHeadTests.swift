import Foundation
import Testing

@testable import SimpleNetworkingCore

/// Heads that break the rules of RFC 9112, and those that only look as if they did.
@Suite("Every engine: malformed heads", .serialized, .timeLimit(.minutes(5)))
struct EngineHeadTests {
    struct Head: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String

        /// Names a head, whose content is “ok”.
        init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }

        /// Names a head whose first field is this line.
        init(line: String) {
            self.init(
                "\(Data(line.utf8).prefix(40).map { $0 })",
                "HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 2\r\n\r\n"
            )
        }

        var testDescription: String { name }
    }

    private static let malformed = NetworkFailure.Kind.malformedResponse.rawValue

    private func end(of head: Head, _ engine: Engine) async throws -> String {
        let server = try RawServer { _ in .raw(head.text + "ok") }
        return try await engine.transport().end(of: server.url())
    }

    /// RFC 9112 §2.2 and §5.1, RFC 9110 §5.5.
    static let malformedFields = [
        "X-One: a\rb", "X-One: a\r", "X\rOne: a", "\rX-One: a", "X-One\r: a", "X-One : a", "X-One\t: a", ": a", " : a",
        "Content-Length : 2", "Transfer-Encoding : chunked", "X-One", "X-One: a\u{0}b", "X-One: a\r\n b\rc",
        // Names are tokens.
        "X One: a", "X(One): a", "\"X-One\": a", "X\u{7F}: a", "X\u{E9}: a", "X,One: a", "HTTP/1.1 404: a", "[X]: a",
        // Of a field that frames the content, libcurl reads the first line alone.
        "Transfer-Encoding:\r\n chunked", "Transfer-Encoding: identity,\r\n\tchunked",
        "Transfer-Encoding: chunked\r\n ",
        "Content-Length:\r\n 2", "Content-Length: 2\r\n ", "Content-Length: 2,\r\n 2",
    ].map { Head(line: $0) }

    @Test(arguments: Engine.allCases, malformedFields)
    func aMalformedFieldFailsTheResponse(engine: Engine, head: Head) async throws {
        let end = try await end(of: head, engine)
        if engine.lacks(.malformedFields) {
            // It is shown in some way, or left out.
            #expect([Self.malformed, "200"].contains(end))
        } else {
            #expect(end == Self.malformed)
        }
    }

    static let malformedStatusLines = [
        "http/1.1 200 OK", "Http/1.1 200 a:b", "HTTP/1.1  200 OK", "HTTP/1.1 2000 OK", "HTTP/x 200 OK",
        "HTTP/1.1 200\rOK",
        "HTTP/1.1 +20 OK", "HTTP/1.1 20 OK", "HTTP/1.1 200.1 OK", "HTTP/1.1 200OK", "HTTP/1.1 200\tOK",
        "HTTP/1.1 200:OK",
    ].map { Head($0.debugDescription, "\($0)\r\nContent-Length: 2\r\n\r\n") }

    @Test(arguments: Engine.allCases, malformedStatusLines)
    func aMalformedStatusLineFailsTheResponse(engine: Engine, head: Head) async throws {
        guard !engine.lacks(.malformedFields) else { return }
        #expect(try await end(of: head, engine) == Self.malformed)
    }

    /// libcurl hands a line of more than 16,384 bytes on in pieces.
    static let longHeads = [" b", "\tb", ":b", "b: c", " b: c"].flatMap { piece in
        let line = "HTTP/1.1 200 " + String(repeating: "a", count: 16_384 - 13) + piece
        let field = "X-One: " + String(repeating: "a", count: 16_384 - 7) + piece
        return [
            Head("a status line, then \(piece)", "\(line)\r\nContent-Length: 2\r\n\r\n"),
            Head("a field, then \(piece)", "HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 2\r\n\r\n"),
        ]
    }

    @Test(arguments: Engine.allCases, longHeads)
    func aLongLineIsOneLine(engine: Engine, head: Head) async throws {
        #expect(try await end(of: head, engine) == "200")
    }

    static let lengths = [
        "9223372036854775808", "09223372036854775808", "18446744073709551618", "1\(String(repeating: "0", count: 400))",
    ]

    /// libcurl would read on until the connection closes, wherever that is.
    @Test(arguments: Engine.allCases, lengths)
    func aLengthThatNoContentCanHaveFailsTheResponse(engine: Engine, length: String) async throws {
        guard !engine.lacks(.hugeLengths) else { return }
        let head = Head(length, "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
        #expect(try await end(of: head, engine) == Self.malformed)
    }

    @Test(arguments: Engine.allCases)
    func aLengthMayBeginWithZeros(engine: Engine) async throws {
        let zeros = String(repeating: "0", count: 30)
        let server = try RawServer { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Length: \(zeros)2\r\n\r\nok", end: .keepAlive)
        }
        #expect(try await engine.transport().get(server.url()).text == "ok")
    }

    @Test(arguments: Engine.allCases)
    func aStatusNeedsNoReason(engine: Engine) async throws {
        let bare = Head("no blank", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n")
        #expect(try await end(of: bare, engine) == (engine.lacks(.statusesWithoutReason) ? Self.malformed : "200"))
        #expect(try await end(of: Head("a blank", "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\n"), engine) == "200")
    }

    /// What libcurl has no room for.
    static let largeHeads = [
        Head("a field of 120 KB", "HTTP/1.1 200 OK\r\nX-One: \(long)\r\nContent-Length: 2\r\n\r\n"),
        Head("a folded field of 120 KB", "HTTP/1.1 200 OK\r\nX-One: a\r\n \(long)\r\nContent-Length: 2\r\n\r\n"),
        Head("a status line of 120 KB", "HTTP/1.1 200 \(long)\r\nContent-Length: 2\r\n\r\n"),
        Head("a trailer of 120 KB", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-One: \(long)\r\n\r\n"),
        Head("a line of 1 MB", "HTTP/1.1 200 OK\r\nX-One: \(String(repeating: "a", count: 1 << 20))\r\n\r\n"),
    ]

    private static let long = String(repeating: "a", count: 120 << 10)

    @Test(arguments: Engine.allCases, largeHeads)
    func aHeadThatIsTooLargeIsCalledThat(engine: Engine, head: Head) async throws {
        guard !engine.lacks(.malformedFields) else { return }
        let server = try RawServer { _ in .raw(head.text + "ok") }
        let error = await #expect(throws: NetworkFailure.self) { try await engine.transport().get(server.url()) }
        #expect(error?.kind == .malformedResponse)
        #expect(error?.detail == "the header fields are too large")
    }

    #if os(Linux) && compiler(>=6.2)
        /// Heads whose first field continues another one, behind status lines that only libcurl takes for such.
        static let deadlyHeads = [
            "http/1.1 200 a:b\r\n X-Fold: y\r\n", "hTTP/1.1 200 OK\r\n X-Fold: y\r\n", "HTTP/x a:b\r\n X-Fold: y\r\n",
            "HTTP/1.1 200 \(String(repeating: "a", count: 16_380)):b\r\n X-Fold: y\r\n",
            "HTTP/1.1 200 \(String(repeating: "a", count: 40_000)):\r\n\tX-Fold: y\r\n",
            "HTTP/1.1 1000 a:b\r\n\r\nHTTP/1.1 200 OK\r\n X-Fold: y\r\n",
            "HTTP/2 1000 a:b\r\n\r\nHTTP/1.1 200 OK\r\n X-Fold: y\r\n",
            "HTTP/1.1 103 a:b\r\n\r\nhttp/1.1 200 a:b\r\n X-Fold: y\r\n",
        ]

        // In a process of its own, which the second response could end.
        /// libcurl 7.84 to 8.0 frees the last field of the response before once more, if the handle is used again.
        @Test(arguments: Engine.allCases)
        func noStatusLineHidesAFirstFieldThatContinuesAnother(engine: Engine) async {
            await #expect(processExitsWith: .success) { [engine] in
                let server = try RawServer {
                    guard let number = Int($0.path.dropFirst()) else {
                        return .response(headers: ["X-Field": "value"], body: "fine")
                    }
                    return .raw("\(Self.deadlyHeads[number])Content-Length: 2\r\n\r\nok", end: .keepAlive)
                }
                let transport = try engine.transport()
                for number in Self.deadlyHeads.indices {
                    for _ in 0..<5 {
                        #expect(try await transport.get(server.url("/fine")).text == "fine")
                        let end = await transport.end(of: server.url("/\(number)"))
                        #expect(engine.lacks(.malformedFields) || end == Self.malformed, "\(number): \(end)")
                    }
                }
            }
        }
    #endif
}
