import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite("Every engine: fields of a request's content", .timeLimit(.minutes(5)))
struct EngineContentFieldTests {
    /// The kinds of content that an engine takes in different ways.
    enum Content: CaseIterable {
        case small, large, file, stream, chunkedStream

        static let bytes = Data("content".utf8)

        func body(_ file: ScratchFile) -> RequestBody {
            switch self {
            case .small: .data(Self.bytes)
            case .large: .data(Data(repeating: 65, count: 3 << 20))
            case .file: .file(file.url)
            case .stream: .stream(length: Self.bytes.count) { InputStream(data: Self.bytes) }
            case .chunkedStream: .stream(length: nil) { InputStream(data: Self.bytes) }
            }
        }
    }

    private func sent(_ content: Content, _ headers: HTTPHeaders, _ engine: Engine) async throws -> RawServer.Request {
        let server = try RawServer { .echo($0) }
        let file = try ScratchFile(Content.bytes)
        let transport = try engine.transport()
        _ = try await transport.get(server.url(), method: .post, headers: headers, body: content.body(file))
        return try #require(server.requests.first)
    }

    @Test(arguments: Engine.allCases, Content.allCases)
    func noFieldIsAdded(engine: Engine, content: Content) async throws {
        let request = try await sent(content, [:], engine)
        #expect(request[header: "Content-Type"] != "application/x-www-form-urlencoded")
        #expect(request[header: "Expect"] == nil)
        if engine.lacks(.bareRequests) { return }
        let names = Set(request.headerLines.map { $0.prefix { $0 != ":" } })
        let framing = content == .chunkedStream ? "Transfer-Encoding" : "Content-Length"
        #expect(names == ["Host", "Accept", "Accept-Encoding", Substring(framing)])
    }

    @Test(arguments: Engine.allCases, Content.allCases)
    func aTypeIsSentAsItWasGiven(engine: Engine, content: Content) async throws {
        let request = try await sent(content, ["Content-Type": "text/plain"], engine)
        let lines = request.headerLines.filter { $0.lowercased().hasPrefix("content-type:") }
        #expect(lines == ["Content-Type: text/plain"])
    }
}
