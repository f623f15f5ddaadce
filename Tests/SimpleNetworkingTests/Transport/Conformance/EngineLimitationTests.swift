import Foundation
import Testing

@testable import SimpleNetworking

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
}
