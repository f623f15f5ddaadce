import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

@Suite("Every engine: content codings", .serialized, .timeLimit(.minutes(5)))
struct EngineEncodingTests {
    private static let unknown = [
        "aws-chunked", "utf-8", "UTF-8", "gzip, utf-8", "utf-8,gzip", "x", "gzip2", "compress",
    ]

    @Test(arguments: Engine.allCases)
    func aRequestWithARangeAcceptsNoCodingUnlessItSaysSo(engine: Engine) async throws {
        let server = try RawServer { .echo($0) }
        let client = try engine.client(server)
        _ = try await client.send(SimpleNetworking.get("/").header("Range", "bytes=0-4"))
        _ = try await client.send(
            SimpleNetworking.get("/").header("Range", "bytes=0-4").header("Accept-Encoding", "gzip")
        )
        #expect(server.requests.map { $0[header: "Accept-Encoding"] } == ["identity", "gzip"])
    }

    @Test(arguments: Engine.allCases, unknown)
    func unknownCodingIsReturnedUndecoded(engine: Engine, coding: String) async throws {
        let server = try RawServer {
            $0.path == "/chunked"
                ? .chunked(["as ", "it is"], headers: ["Content-Encoding": coding])
                : .response(headers: ["Content-Encoding": coding], body: "as it is")
        }
        let transport = try engine.transport()
        for path in ["/", "/chunked"] {
            guard !engine.lacks(.unknownCodings) else {
                #expect(await transport.end(of: server.url(path)) == NetworkFailure.Kind.malformedResponse.rawValue)
                continue
            }
            let response = try await transport.get(server.url(path))
            #expect(response.text == "as it is" && response.headers["Content-Encoding"] == coding)
            let pieces = Recorder<String>()
            let streamed = try await transport.get(server.url(path)) {
                $0.sink = .stream { part in
                    switch part {
                    case .head(let status, _): pieces.add("\(status) ")
                    case .content(let data): pieces.add(String(decoding: data, as: UTF8.self))
                    }
                }
            }
            #expect(streamed.data.isEmpty && pieces.elements.joined() == "200 as it is")
        }
    }

    /// A folded field is one value (RFC 9112 §5.2), and libcurl's function for header fields sees its lines.
    @Test(arguments: Engine.allCases, ["\r\n gzip", "identity,\r\n\tgzip", "gzip\r\n ,", "gzip\r\n\t"])
    func aCodingInAFoldedFieldIsDecoded(engine: Engine, value: String) async throws {
        guard !engine.lacks(.malformedFields) else { return }
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(value)\r\nContent-Length: \(Gzip.hello.count)\r\n\r\n"
        let server = try RawServer { _ in RawServer.Reply([.send(Data(head.utf8) + Gzip.hello)]) }
        #expect(try await engine.transport().get(server.url()).text == "hello hello")
    }

    @Test(
        arguments: Engine.allCases,
        ["gzip", "GZIP", "x-gzip", "X-Gzip", "identity, gzip", "gzip,identity", " gzip ,"]
    )
    func knownCodingsAreDecodedInAnySpelling(engine: Engine, coding: String) async throws {
        let server = try RawServer { _ in .response(headers: ["Content-Encoding": coding], data: Gzip.hello) }
        #expect(try await engine.transport().get(server.url()).text == "hello hello")
    }

    @Test(arguments: Engine.allCases, ["identity", "Identity", ""])
    func identityCodingIsReturnedUnchanged(engine: Engine, coding: String) async throws {
        let server = try RawServer { _ in .response(headers: ["Content-Encoding": coding], body: "as it is") }
        #expect(try await engine.transport().get(server.url()).text == "as it is")
    }

    /// An engine may use its handles again.
    @Test(arguments: Engine.allCases)
    func knownCodingIsDecodedAfterAnUnknownOne(engine: Engine) async throws {
        let server = try RawServer {
            $0.path == "/gzip"
                ? .response(headers: ["Content-Encoding": "gzip"], data: Gzip.hello)
                : .response(headers: ["Content-Encoding": "gzip", "Content-Encoding": "x"], data: Gzip.hello)
        }
        let transport = try engine.transport()
        for _ in 0..<3 {
            #expect(try await transport.get(server.url("/gzip")).text == "hello hello")
            guard !engine.lacks(.unknownCodings) else { continue }
            #expect(try await transport.get(server.url("/x")).data == Gzip.hello)
        }
    }

    @Test(arguments: Engine.allCases)
    func unknownCodingWithoutContentIsNoError(engine: Engine) async throws {
        let server = try RawServer {
            .response(status: $0.path == "/204" ? 204 : 200, headers: ["Content-Encoding": "x"])
        }
        let transport = try engine.transport()
        #expect(try await transport.get(server.url()).httpStatus == 200)
        #expect(try await transport.get(server.url("/204")).httpStatus == 204)
        #expect(try await transport.get(server.url(), method: .head).httpStatus == 200)
    }

    @Test(arguments: Engine.allCases, [(7, "tooLarge"), (8, "200")])
    func unknownCodingCountsItsBytesAgainstTheLimit(engine: Engine, limit: (size: Int, end: String)) async throws {
        guard !engine.lacks(.unknownCodings) else { return }
        let server = try RawServer { _ in .response(headers: ["Content-Encoding": "x"], body: "as it is") }
        #expect(try await engine.transport().end(of: server.url()) { $0.maxResponseSize = limit.size } == limit.end)
    }

    #if canImport(CLibcurl) && os(Linux)
        /// In one field or in several, which older versions of libcurl count apart (CVE-2023-23916).
        @Test(arguments: [["gzip, gzip, gzip, gzip, gzip, gzip"], Array(repeating: "gzip", count: 6)])
        func moreThanFiveCodingsAreRefused(values: [String]) async throws {
            let fields = values.map { "Content-Encoding: \($0)\r\n" }.joined()
            let server = try RawServer { _ in .raw("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 1\r\n\r\nx") }
            let error = await #expect(throws: NetworkFailure.self) { try await curl().get(server.url()) }
            #expect(error?.kind == .malformedResponse)
            // libcurl refuses so many in one field itself, and newer versions in several, too.
            #expect(error?.detail?.contains("codings") == true || error?.detail?.contains("content encodings") == true)
        }
    #endif
}
