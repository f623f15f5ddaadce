import Foundation
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite("What engines cannot do", .serialized, .timeLimit(.minutes(5)))
struct EngineLimitationTests {
    // Swift 6.4 makes an error of both.
    #if os(Linux) && compiler(>=6.2) && compiler(<6.4)
        private static let deadly: [(engine: Engine, limitation: Limitation)] = Engine.allCases.flatMap { engine in
            [Limitation.trailers, .cutHeaderBlocks, .hugeLengths].filter(engine.lacks).map { (engine, $0) }
        }

        @Test(arguments: deadly)
        func someResponsesEndTheProcess(engine: Engine, limitation: Limitation) async {
            await #expect(processExitsWith: .failure) { [engine, limitation] in
                let server = try RawServer { _ in
                    switch limitation {
                    case .trailers: .trailers
                    case .cutHeaderBlocks: .cutHeaders
                    default: .raw("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nhello")
                    }
                }
                _ = try await engine.transport().end(of: server.url())
            }
        }
    #endif

    @Test(arguments: Limitation.allCases)
    func everyLimitationNamesItsEnginesAndAReason(limitation: Limitation) {
        #expect(limitation.row.reason.hasSuffix("."))
        if limitation.row.platforms == .all { #expect(!limitation.row.engines.isEmpty) }
    }

    @Test(arguments: Limitation.allCases)
    func everyLimitationIsAsserted(limitation: Limitation) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let tests = try files.filter { $0.lastPathComponent.hasSuffix("Tests.swift") }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        #expect(tests.contains(".\(limitation)"))
    }

    /// The row of the article “Engines on Linux” that tells of a limitation, by its first words.
    private static let rows: [Limitation: String] = [
        .asterisks: "`OPTIONS *`",
        .bareRequests: "fields that you don't set",
        .compressedProgress: "progress of compressed content without a length",
        .contentOfRedirects: "a redirect that isn't followed",
        .contentWithGet: "a GET with content",
        .cookielessSessions: "cookies of the session",
        .cookiesWithCommas: "repeated fields, of requests and of responses",
        .cutHeaderBlocks: "a response cut off in its header block",
        .expectations: "`Expect: 100-continue`",
        .fieldsWithoutBlank: "a field without a space after its colon",
        .hugeLengths: "a response cut off in its header block",
        .ipv6Literals: "a host that is an IPv6 address",
        .latin1Fields: "Latin-1 bytes in a response's field",
        .limitWhileReceiving: "a response with your `session:`",
        .ownTimeouts: "a time limit for the whole transfer",
        .endlessRedirects: "the content of a redirect that is followed",
        .malformedFields: "a stray CR or NUL in a field",
        .pieces: "a response with your `session:`",
        .repeatedFields: "repeated fields, of requests and of responses",
        .sizesOfStreams: "metrics",
        .slowReaders: "a slow stream",
        .spelling: "names of fields",
        .statusesWithoutReason: "a status line without a reason",
        .switchedProtocols: "status 101",
        .timesOfTransfer: "metrics",
        .toldResends: "a kept connection that breaks",
        .trailers: "a response's trailer",
        .unknownCodings: "a `Content-Encoding` that the engine doesn't know",
        .writtenURLs: "`[`, `]`, `{`, `}`",
    ]

    @Test(arguments: Limitation.allCases)
    func theArticleTellsOfEveryLimitation(limitation: Limitation) throws {
        let path = "Sources/SimpleNetworkingCore/Documentation.docc/LinuxEngines.md"
        let article = try String(contentsOf: SourceFile.package.appendingPathComponent(path), encoding: .utf8)
        let row = try #require(Self.rows[limitation])
        #expect(article.contains("\n| \(row)"))
    }
}
